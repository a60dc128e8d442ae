import { type Log, silentLog } from '#server/platform/process/log.ts';
import { dealSettlingQueue } from './deals/public.ts';
import { resumeFileRemovalQueue } from './forms/public.ts';
import { listingRemovalQueue } from './listings/public.ts';
import { mailQueue } from './mail/outbox.ts';
import { moderatorActionQueue, quotedPhotoCopyQueue, quotedPhotoRemovalQueue } from './moderation/public.ts';
import { notificationQueue } from './notifications/public.ts';
import { fileRemovalQueue } from './photos/public.ts';
import { type JobQueue, startJobQueue } from './platform/jobs.ts';
import { pushQueue } from './push/public.ts';
import { listingMatchingQueue } from './saved-searches/public.ts';

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
