import type { Jobs, Queue } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { PhotoService } from './service.ts';

/** Files whose listing or profile let go of them: removed after the transaction commits, tried again until done. */
export const removalQueue: Queue<{ urls: string[] }> = { name: 'remove-files', retries: 20, retryDelay: 10 };

/** Queues the removal of files in the transaction that lets go of them. */
export const createFileRemoval =
  (jobs: Pick<Jobs, 'enqueue'>) =>
  (tx: Queryable, urls: string[]): Promise<void> =>
    jobs.enqueue(tx, removalQueue, { urls });

/** Does the queued removals; what is shown again by then stays. */
export const startFileRemoval = (jobs: Pick<Jobs, 'work'>, photos: PhotoService): Promise<void> =>
  jobs.work(removalQueue, ({ urls }) => photos.deleteObjects(urls));
