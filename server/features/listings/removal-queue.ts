import { z } from 'zod';
import type { App } from '#server/app.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { restoreWindowSeconds } from './policy.ts';

/**
 * Queue of the job that removes deleted listings. Each deletion adds one entry, but the entry names
 * no listing: the job removes all listings that are due.
 */
export const listingRemovalQueue: QueueDefinition<object> = {
  name: 'remove-deleted-listings',
  retries: 3,
  retryDelay: 10,
  payload: z.object({}),
};

/** Queues the removal of a listing in the transaction that deletes it, for when it can no longer be restored. */
export const queueListingRemoval = ({ jobs }: App, tx: Queryable): Promise<void> =>
  // Wait one second longer, because the database and this process may round the time differently.
  jobs.enqueue(tx, listingRemovalQueue, {}, { delaySeconds: restoreWindowSeconds + 1 });
