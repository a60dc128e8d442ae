import { z } from 'zod';
import type { App } from '#server/app.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Queue of files that a listing or profile no longer uses. They are removed after the transaction commits, with
 * retries.
 */
export const fileRemovalQueue: QueueDefinition<{ urls: string[] }> = {
  name: 'remove-files',
  retries: 20,
  retryDelay: 10,
  payload: z.object({ urls: z.array(z.string()) }),
};

/** Queues the removal of files. Call it in the transaction that removes the last reference to them. */
export const queueFileRemoval = ({ jobs }: App, tx: Queryable, urls: string[]): Promise<void> =>
  jobs.enqueue(tx, fileRemovalQueue, { urls });

// Legacy: remove with the last factory that takes it.
export const createFileRemovalScheduler =
  (jobs: App['jobs']) =>
  (tx: Queryable, urls: string[]): Promise<void> =>
    queueFileRemoval({ jobs } as App, tx, urls);
