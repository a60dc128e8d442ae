import { type Log, silentLog } from '#server/platform/process/log.ts';
import { resumeRemovalQueue } from './forms/public.ts';
import { mailQueue } from './mail/outbox.ts';
import { removalQueue } from './photos/public.ts';
import { type Jobs, startJobs } from './platform/jobs.ts';

/** Opens the job queue with all queues of the server. */
export const openJobs = (databaseUrl: string, log: Log): Promise<Jobs> =>
  startJobs(databaseUrl, [mailQueue, removalQueue, resumeRemovalQueue], log);

/**
 * Opens the job queue for a process that only adds jobs, such as a command. A running server processes the jobs, or the
 * next one that starts. It connects when the first job is added, because it needs a second connection pool and most
 * commands add no jobs.
 */
export const openJobQueue = (databaseUrl: string): Pick<Jobs, 'enqueue'> & { close(): Promise<void> } => {
  let opened: Promise<Jobs> | undefined;
  return {
    enqueue: async (tx, queue, payload) => {
      opened ??= openJobs(databaseUrl, silentLog);
      await (await opened).enqueue(tx, queue, payload);
    },
    close: async () => (await opened)?.stop(),
  };
};
