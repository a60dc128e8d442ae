import { z } from 'zod';
import type { QueueDefinition } from '#server/platform/jobs.ts';

/** Queue of resumes whose applications were deleted. They are removed after the transaction commits, with retries. */
export const resumeFileRemovalQueue: QueueDefinition<{ keys: string[] }> = {
  name: 'remove-resumes',
  retries: 20,
  retryDelay: 10,
  payload: z.object({ keys: z.array(z.string()) }),
};
