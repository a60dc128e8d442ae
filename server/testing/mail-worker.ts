import { defaultCampus } from '#contract/campus.ts';
import { createOutbox, type MailJobDeps, mailJob, mailQueue } from '#server/mail/outbox.ts';
import { startJobs } from '#server/platform/jobs.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { makeSecrets } from '#server/platform/secrets.ts';

type MailWorkerDeps = Pick<MailJobDeps, 'delivery' | 'clock' | 'unreadMail'> & {
  log?: Log;
};

/** Starts the mail worker on a real job queue; returns a mailer that queues emails. `stop` also closes the delivery. */
export const startTestMailWorker = async (
  databaseUrl: string,
  { log = silentLog, ...deps }: MailWorkerDeps,
) => {
  const { pepper } = makeSecrets();
  const jobs = await startJobs(databaseUrl, [mailQueue], log);
  const publicUrl = 'https://quad.test';
  await mailJob({ ...deps, pepper, campus: defaultCampus, publicUrl }).register(jobs);
  return {
    mailer: createOutbox(jobs, pepper),
    stop: async () => {
      // Closed first, because stopping the queue would wait for a hanging delivery.
      deps.delivery.close();
      await jobs.stop();
    },
  };
};
