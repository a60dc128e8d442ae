import type { FastifyInstance } from 'fastify';
import type { PluginOptions } from '#server/http/serve.ts';
import { declareQueueJob } from '#server/platform/jobs.ts';
import { registerDevMailboxPage } from './dev-mailbox-page.ts';
import { type MailSending, sendQueuedMail } from './mail-job.ts';
import { mailQueue } from './outbox.ts';
import { type EmailStopper, registerUnsubscribeRoutes } from './unsubscribe-routes.ts';

interface MailPluginOptions extends PluginOptions, Pick<MailSending, 'contents'> {
  /** Sends queued emails. It is undefined while mail is off; emails then stay in the queue. */
  delivery: MailSending['delivery'] | undefined;
  stopEmails: EmailStopper;
}

/**
 * Registers the mail feature: the job that sends queued emails, the unsubscribe link and, in development, the mailbox.
 */
export const mailPlugin = async (
  server: FastifyInstance,
  { app, http, addJobs, delivery, contents, stopEmails }: MailPluginOptions,
): Promise<void> => {
  await registerUnsubscribeRoutes(server, { app, http, stopEmails });
  if (app.config.mail.by === 'mailbox') registerDevMailboxPage(server, app.sql);
  if (delivery)
    addJobs(declareQueueJob(mailQueue, (mail) => sendQueuedMail(app, mail, { delivery, contents })));
};
