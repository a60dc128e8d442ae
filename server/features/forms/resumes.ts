import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createProblem } from '#contract/errors.ts';
import {
  findResumeFileExtension,
  maxResumeBytes,
  type ResumeFileExtension,
  resumeErrorMessages,
} from '#contract/form-choices.ts';
import { normalizeCharacters } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import { receiveUpload, type UploadTimeouts } from '#server/platform/files/receive-upload.ts';

/** A resume while it is being uploaded. */
export interface ResumeUpload {
  filename: string;
  content: Readable;
  signal: AbortSignal;
}

/** A completely received resume of a valid format, in a temporary file. */
export interface ReceivedResume {
  path: string;
  /** The file name that the sender's browser sent, for display. */
  name: string;
  ending: ResumeFileExtension;
  bytes: number;
}

export interface StoredResume {
  key: string;
  name: string;
  contentType: string;
  bytes: number;
}

const contentTypeByExtension: Record<ResumeFileExtension, string> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const maxDisplayNameLength = 120;

/** The characters that browsers encode in the file names of a multipart body (HTML standard, "multipart/form-data"). */
const encodedCharacters = { '%22': '"', '%0D': '\r', '%0A': '\n' } as const;

const decodeFilename = (filename: string): string =>
  filename.replace(/%22|%0D|%0A/g, (code) => encodedCharacters[code as keyof typeof encodedCharacters]);

const toDisplayFilename = (filename: string): string =>
  normalizeCharacters(basename(decodeFilename(filename).replaceAll('\\', '/')))
    .replace(/\p{Cc}/gu, '')
    .slice(-maxDisplayNameLength);

/** Timeouts of a resume upload in milliseconds: `idle` between two chunks, `total` for the whole upload. */
export const resumeUploadTimeouts: UploadTimeouts = { idle: 15_000, total: 55_000 };

const createResumeProblem = (code: 'resume_type' | 'resume_too_large') =>
  createProblem(code, {
    fields: { resume: code === 'resume_type' ? resumeErrorMessages.type : resumeErrorMessages.tooLarge },
  });

/** Throws unless the file has the format of its extension. A file that takes too long to check counts as invalid. */
const assertFormat = async (
  { resumeChecker }: App,
  path: string,
  ending: ResumeFileExtension,
): Promise<void> => {
  const result = await resumeChecker.process({ path, ending });
  if ('isValid' in result ? !result.isValid : result.refused === 'timed_out')
    throw createResumeProblem('resume_type');
  if ('refused' in result) throw createProblem('unavailable', { retryAfter: 30 });
};

export const discardResume = (resume: Pick<ReceivedResume, 'path'>): Promise<void> =>
  rm(resume.path, { force: true });

/**
 * Receives a resume into the folder for uploads and checks its format. Deletes the file again when it is refused. If a
 * crash leaves the file, the hourly job that removes leftover uploads deletes it.
 */
export const receiveResume = async (
  app: App,
  { filename, content, signal }: ResumeUpload,
): Promise<ReceivedResume> => {
  const uploads = join(app.config.dataDir, 'uploads');
  await makeOwnerOnlyFolder(uploads);
  const path = join(uploads, randomUUID());
  try {
    const { bytes, stopped } = await receiveUpload(content, path, {
      limit: maxResumeBytes,
      timeouts: resumeUploadTimeouts,
      signal,
    });
    if (stopped === 'too_large') throw createResumeProblem('resume_too_large');
    if (stopped === 'too_slow') throw createProblem('request_timeout');
    if (stopped === 'broken_off') throw createProblem('malformed_request');
    const ending = findResumeFileExtension(filename);
    if (!ending) throw createResumeProblem('resume_type');
    await assertFormat(app, path, ending);
    return { path, name: toDisplayFilename(filename), ending, bytes };
  } catch (error) {
    await discardResume({ path });
    throw error;
  }
};

/**
 * Stores a received resume permanently under a key of its own, even if the form is sent twice. No URL serves the folder
 * of resumes.
 */
export const storeResume = async (
  { files }: App,
  formId: string,
  { path, name, ending, bytes }: ReceivedResume,
): Promise<StoredResume> => {
  const key = `forms/${formId}/${randomUUID()}/resume${ending}`;
  const contentType = contentTypeByExtension[ending];
  await files.put(key, { path }, { contentType });
  return { key, name, contentType, bytes };
};
