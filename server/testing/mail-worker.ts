import { defaultCampus } from '#contract/campus.ts';
import { createMailJob, createOutbox, type MailJobDeps, mailQueue } from '#server/mail/outbox.ts';
import { startJobQueue } from '#server/platform/jobs.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';

type MailWorkerDeps = Pick<MailJobDeps, 'delivery' | 'clock' | 'unreadMail'> & {
  log?: Log;
};

/** Starts the mail worker on a real job queue; returns a mailer that queues emails. `stop` also closes the delivery. */
export const startTestMailWorker = async (
  databaseUrl: string,
  { log = silentLog, ...deps }: MailWorkerDeps,
) => {
  const { pepper } = generateSecrets();
  const jobs = await startJobQueue(databaseUrl, [mailQueue], log);
  const publicUrl = 'https://quad.test';
  const dealNotices = { findNotices: async () => undefined };
  const notifications = { findNotifications: async () => undefined };
  await createMailJob({
    ...deps,
    dealNotices,
    notifications,
    postpone: async () => {},
    pepper,
    campus: defaultCampus,
    publicUrl,
  }).register(jobs);
  return {
    mailer: createOutbox(jobs, pepper),
    stop: async () => {
      // Close the delivery first, because stopping the queue would wait for a hanging delivery.
      deps.delivery.close();
      await jobs.stop();
    },
  };
};
