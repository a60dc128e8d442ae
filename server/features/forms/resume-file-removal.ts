import { z } from 'zod';
import type { App } from '#server/app.ts';
import { deleteUnreferencedFiles } from '#server/platform/files/unreferenced-files.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import { listReferencedResumes } from './repository.ts';

/** Queue of resumes whose applications were deleted. They are removed after the transaction commits, with retries. */
export const resumeFileRemovalQueue: QueueDefinition<{ keys: string[] }> = {
  name: 'remove-resumes',
  retries: 20,
  retryDelay: 10,
  payload: z.object({ keys: z.array(z.string()) }),
};

/** Deletes the resumes with these keys. Skips missing ones. */
export const deleteResumeFiles = async ({ files }: App, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await files.delete(key);
};

/** Deletes resumes older than a day that no application refers to, because it was not stored or was deleted. */
export const deleteUnreferencedResumes = ({ files, clock, sql }: App): Promise<void> =>
  deleteUnreferencedFiles({
    files,
    clock,
    folder: 'forms',
    toReference: (key) => key,
    listKnown: (keys) => listReferencedResumes(sql, keys),
  });
