import type { App } from '#server/app.ts';
import { type MailContents, type MailSending, sendQueuedMail } from '#server/mail/mail-job.ts';
import { createOutbox, mailQueue } from '#server/mail/outbox.ts';
import { startJobQueue } from '#server/platform/jobs.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createStubApp } from './stub-app.ts';

interface MailWorkerOptions
  extends Pick<MailSending, 'delivery'>,
    Pick<App, 'clock'>,
    Partial<Pick<App, 'log'>> {
  contents?: Partial<MailContents>;
}

const noContents: MailContents = {
  findWillingSeller: async () => undefined,
  findUnreadDigest: async () => undefined,
  findDealNotices: async () => undefined,
  findNotificationDigest: async () => undefined,
};

/** Starts the mail worker on a real job queue; returns a mailer that queues emails. `stop` also closes the delivery. */
export const startTestMailWorker = async (
  databaseUrl: string,
  { delivery, clock, log = silentLog, contents }: MailWorkerOptions,
) => {
  const sql = openDatabase(databaseUrl, { max: 1 });
  const jobs = await startJobQueue(databaseUrl, [mailQueue], log);
  const app = createStubApp({ sql, clock, jobs });
  const sending = { delivery, contents: { ...noContents, ...contents } };
  await jobs.work(mailQueue, (mail) => sendQueuedMail(app, mail, sending));
  return {
    mailer: createOutbox(jobs, app.secrets.pepper),
    stop: async () => {
      // Close the delivery first, because stopping the queue would wait for a hanging delivery.
      delivery.close();
      await jobs.stop();
      await sql.end();
    },
  };
};
