import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { problem } from '#contract/errors.ts';
import { maxResumeBytes, type ResumeEnding, resumeEnding, resumeSentences } from '#contract/form-choices.ts';
import { removeInvisibleCharacters } from '#contract/invisible.ts';
import type { Files } from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import { receiveUpload, type UploadTimeouts } from '#server/platform/files/receive-upload.ts';
import { hasResumeFormat } from './resume-format.ts';

/** A resume while it is being uploaded. */
export interface ResumeUpload {
  filename: string;
  content: Readable;
  /** Aborts the upload. */
  signal: AbortSignal;
}

/** A completely received resume of a valid format, in a temporary file. */
export interface ReceivedResume {
  path: string;
  /** The file name that the sender's browser sent, for display. */
  name: string;
  ending: ResumeEnding;
  bytes: number;
}

export interface StoredResume {
  key: string;
  name: string;
  contentType: string;
  bytes: number;
}

const contentTypes: Record<ResumeEnding, string> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

const maxNameLength = 120;

const toDisplayName = (filename: string): string =>
  removeInvisibleCharacters(basename(filename.replaceAll('\\', '/')))
    .replace(/\p{Cc}/gu, '')
    .slice(-maxNameLength);

/** Creates the store of resumes, which keeps them in a folder that no URL serves. */
export const createResumes = (deps: {
  files: Files;
  /**
   * Folder for uploads in progress. Files that a crash leaves here are deleted together with those of other uploads.
   */
  uploads: string;
  timeouts: UploadTimeouts;
}) => {
  const { files, uploads, timeouts } = deps;

  const toResumeProblem = (code: 'resume_type' | 'resume_too_large') =>
    problem(code, {
      fields: { resume: code === 'resume_type' ? resumeSentences.type : resumeSentences.tooLarge },
    });

  const discard = (resume: Pick<ReceivedResume, 'path'>): Promise<void> => rm(resume.path, { force: true });

  return {
    /** Receives a file into the uploads folder and checks its format; deletes it again when it is refused. */
    async receive({ filename, content, signal }: ResumeUpload): Promise<ReceivedResume> {
      await makeOwnerOnlyFolder(uploads);
      const path = join(uploads, randomUUID());
      try {
        const { bytes, stopped } = await receiveUpload(content, path, {
          limit: maxResumeBytes,
          timeouts,
          signal,
        });
        if (stopped === 'too_large') throw toResumeProblem('resume_too_large');
        if (stopped === 'too_slow') throw problem('request_timeout');
        if (stopped === 'broken_off') throw problem('malformed_request');
        const ending = resumeEnding(filename);
        if (!ending || !(await hasResumeFormat(path, ending))) throw toResumeProblem('resume_type');
        return { path, name: toDisplayName(filename), ending, bytes };
      } catch (error) {
        await discard({ path });
        throw error;
      }
    },

    discard,

    /** Stores a received resume permanently. */
    async store(formId: string, { path, name, ending, bytes }: ReceivedResume): Promise<StoredResume> {
      const key = `forms/${formId}/resume${ending}`;
      const contentType = contentTypes[ending];
      await files.put(key, { path }, { contentType });
      return { key, name, contentType, bytes };
    },

    remove: ({ key }: StoredResume): Promise<void> => files.delete(key),
  };
};
