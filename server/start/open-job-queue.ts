import { dealSettlingQueue } from '#server/features/deals/public.ts';
import { resumeFileRemovalQueue } from '#server/features/forms/public.ts';
import { listingRemovalQueue } from '#server/features/listings/public.ts';
import {
  moderatorActionQueue,
  quotedPhotoCopyQueue,
  quotedPhotoRemovalQueue,
} from '#server/features/moderation/public.ts';
import { notificationQueue } from '#server/features/notifications/public.ts';
import { fileRemovalQueue } from '#server/features/photos/public.ts';
import { pushQueue } from '#server/features/push/public.ts';
import { listingMatchingQueue } from '#server/features/saved-searches/public.ts';
import { mailQueue } from '#server/mail/outbox.ts';
import { type JobQueue, startJobQueue } from '#server/platform/jobs.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';

/** Starts pg-boss with every queue that the server uses. */
export const openServerJobQueue = (databaseUrl: string, log: Log): Promise<JobQueue> =>
  startJobQueue(
    databaseUrl,
    [
      mailQueue,
      notificationQueue,
      pushQueue,
      fileRemovalQueue,
      resumeFileRemovalQueue,
      listingRemovalQueue,
      dealSettlingQueue,
      listingMatchingQueue,
      quotedPhotoCopyQueue,
      moderatorActionQueue,
      quotedPhotoRemovalQueue,
    ],
    log,
  );

/**
 * Opens the job queue for a process that only adds jobs, such as a command. A running server runs
 * the jobs; if none is running, the next one that starts does. The connection is opened when the
 * first job is added, because it needs a second connection pool and most commands add no jobs.
 */
export const openJobProducer = (
  databaseUrl: string,
): Pick<JobQueue, 'enqueue'> & { close(): Promise<void> } => {
  let opened: Promise<JobQueue> | undefined;
  return {
    enqueue: async (tx, queue, payload, options) => {
      opened ??= openServerJobQueue(databaseUrl, silentLog);
      await (await opened).enqueue(tx, queue, payload, options);
    },
    close: async () => (await opened)?.stop(),
  };
};
