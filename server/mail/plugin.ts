import type { FastifyInstance } from 'fastify';
import type { PluginOptions } from '#server/http/serve.ts';
import { declareQueueJob } from '#server/platform/jobs.ts';
import { registerDevMailboxPage } from './dev-mailbox-page.ts';
import { type MailSending, sendQueuedMail } from './mail-job.ts';
import { mailQueue } from './outbox.ts';

interface MailPluginOptions extends PluginOptions, Pick<MailSending, 'contents'> {
  /** Sends queued emails. It is undefined while mail is off; emails then stay in the queue. */
  delivery: MailSending['delivery'] | undefined;
}

/** Registers the job that sends queued emails and, in development, the mailbox. */
export const mailPlugin = async (
  server: FastifyInstance,
  { app, addJobs, delivery, contents }: MailPluginOptions,
): Promise<void> => {
  if (app.config.mail.by === 'mailbox') registerDevMailboxPage(server, app.sql);
  if (delivery)
    addJobs(declareQueueJob(mailQueue, (mail) => sendQueuedMail(app, mail, { delivery, contents })));
};
