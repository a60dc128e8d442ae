import type { JobQueue } from '#server/platform/jobs.ts';
import { silentLog } from '#server/platform/process/log.ts';

/**
 * Opens the job queue for a process that only adds jobs, such as a command. A running server runs
 * the jobs; if none is running, the next one that starts does. Its modules are loaded and the
 * connection is opened when the first job is added, because it needs a second connection pool and most commands add no
 * jobs.
 */
export const openJobProducer = (
  databaseUrl: string,
): Pick<JobQueue, 'enqueue'> & { close(): Promise<void> } => {
  let opened: Promise<JobQueue> | undefined;
  return {
    enqueue: async (tx, queue, payload, options) => {
      opened ??= import('./open-job-queue.ts').then(({ openServerJobQueue }) =>
        openServerJobQueue(databaseUrl, silentLog),
      );
      await (await opened).enqueue(tx, queue, payload, options);
    },
    close: async () => (await opened)?.stop(),
  };
};
