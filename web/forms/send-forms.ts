import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import type { Campus } from '#contract/campus.ts';
import { findResumeFileExtension, maxResumeBytes, resumeErrorMessages } from '#contract/form-choices.ts';
import {
  type ConcernReport,
  type ContactSubmission,
  concernReportSchema,
  createContactFormSchema,
  createDataDeletionRequestSchema,
  createJobApplicationSchema,
  type DataDeletionRequest,
  type JobApplication,
  jobApplicationPath,
} from '#contract/forms.ts';
import { request } from '#web/lib/api.ts';
import { toApiError } from '#web/lib/api-error.ts';
import { getAccessToken } from '#web/lib/session.ts';

// This module is loaded when a form is first used, so that pages load without the schemas and their library.

/** Timeout of a resume upload in milliseconds. */
const resumeUploadTimeoutMs = 60_000;

export const reportForm = {
  schema: concernReportSchema,
  send: (body: ConcernReport, client_id: string) =>
    request(calls.sendReport, { body: { ...body, client_id } }),
};

export const createContactForm = (campus: Campus) => ({
  schema: createContactFormSchema(campus),
  send: (body: ContactSubmission, client_id: string) =>
    request(calls.sendContact, { body: { ...body, client_id } }),
});

export const createDataDeletionForm = (campus: Campus) => ({
  schema: createDataDeletionRequestSchema(campus),
  send: (body: DataDeletionRequest, client_id: string) =>
    request(calls.requestDataDeletion, { body: { ...body, client_id } }),
});

/** Validates the value of the resume's file field: no file, or one file of an accepted type and size. */
const resumeSchema = z
  .instanceof(FileList)
  .transform((files) => files[0])
  .refine((file) => !file || findResumeFileExtension(file.name) !== undefined, {
    error: resumeErrorMessages.type,
    abort: true,
  })
  .refine((file) => !file || file.size <= maxResumeBytes, resumeErrorMessages.tooLarge);

export const createJobApplicationForm = (campus: Campus) => ({
  schema: createJobApplicationSchema(campus).extend({ resume: resumeSchema }),
  send: async (
    { resume, ...application }: JobApplication & { resume: File | undefined },
    client_id: string,
  ) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...application, client_id })) body.append(name, value);
    if (resume) body.append('resume', resume, resume.name);
    const token = await getAccessToken();
    const response = await fetch(jobApplicationPath, {
      method: 'POST',
      headers: token ? { authorization: `Bearer ${token}` } : {},
      body,
      signal: AbortSignal.timeout(resumeUploadTimeoutMs),
    });
    if (!response.ok) throw toApiError(response.status, await response.json().catch(() => undefined));
  },
});
