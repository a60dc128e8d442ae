import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { Campus } from '#contract/campus.ts';
import { toFieldErrors } from '#contract/field-errors.ts';
import { resumeBytes, resumeEnding, resumeSentences } from '#contract/form-choices.ts';
import {
  applicationPath,
  applicationSchema,
  contactSchema,
  deletionRequestSchema,
  reportSchema,
} from '#contract/forms.ts';
import { request } from '#web/lib/api.ts';
import { ApiError, errorOf } from '#web/lib/api-error.ts';
import { getAccessToken } from '#web/lib/session.ts';

// Loaded when a form is first used, so that the schemas and their library are not part of a page's first load.

/** The sentence of each refused field. */
export type Refused = Record<string, string>;

/** Timeout of a resume upload in milliseconds. */
const uploadTimeoutMs = 60_000;

const textsOf = (data: FormData): Record<string, string> =>
  Object.fromEntries([...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Validates and sends a form; returns the fields that either side refused. Throws any other failure. */
const sendValid = async <Schema extends z.ZodType>(
  schema: Schema,
  data: FormData,
  send: (value: z.output<Schema>) => Promise<unknown>,
): Promise<Refused | undefined> => {
  const parsed = schema.safeParse(textsOf(data));
  if (!parsed.success) return toFieldErrors(parsed.error);
  try {
    await send(parsed.data);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.fields) return error.fields;
    throw error;
  }
};

export const sendReport = (data: FormData): Promise<Refused | undefined> =>
  sendValid(reportSchema, data, (body) => request(calls.sendReport, { body }));

export const sendContact = (campus: Campus, data: FormData): Promise<Refused | undefined> =>
  sendValid(contactSchema(campus), data, (body) => request(calls.sendContact, { body }));

export const requestDataDeletion = (campus: Campus, data: FormData): Promise<Refused | undefined> =>
  sendValid(deletionRequestSchema(campus), data, (body) => request(calls.requestDataDeletion, { body }));

const resumeOf = (data: FormData): File | undefined => {
  const file = data.get('resume');
  return file instanceof File && file.name !== '' ? file : undefined;
};

const refusedResume = (file: File | undefined): Refused | undefined => {
  if (file && !resumeEnding(file.name)) return { resume: resumeSentences.type };
  if (file && file.size > resumeBytes) return { resume: resumeSentences.tooLarge };
  return undefined;
};

const post = async (path: string, body: FormData): Promise<void> => {
  const token = await getAccessToken();
  const response = await fetch(path, {
    method: 'POST',
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body,
    signal: AbortSignal.timeout(uploadTimeoutMs),
  });
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => undefined));
};

/** Sends an application with its resume, if one was chosen. */
export const sendApplication = async (campus: Campus, data: FormData): Promise<Refused | undefined> => {
  const resume = resumeOf(data);
  const wrong = refusedResume(resume);
  const parsed = applicationSchema(campus).safeParse(textsOf(data));
  if (wrong) return { ...(parsed.success ? {} : toFieldErrors(parsed.error)), ...wrong };
  return sendValid(applicationSchema(campus), data, (application) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(application)) body.append(name, value);
    if (resume) body.append('resume', resume, resume.name);
    return post(applicationPath, body);
  });
};
