import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '#server/http/serve.ts';
import type { AddJobs } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { mailboxPage } from './mailbox-page.ts';
import { type MailJobDeps, mailJob } from './outbox.ts';
import { unsubscribeRoutes } from './unsubscribe-routes.ts';

interface MailPluginOptions extends Omit<MailJobDeps, 'delivery'> {
  http: HttpDeps;
  addJobs: AddJobs;
  /** Sends queued emails; undefined while mail is off, when they stay in the queue. */
  delivery: Delivery | undefined;
  /** The database whose development mailbox is shown; undefined for none. */
  mailbox: Sql | undefined;
  stopMessageMail(userId: string): Promise<void>;
}

/** Email: sends what is queued, serves the unsubscribe link and, in development, the mailbox. */
export const mailPlugin = async (app: FastifyInstance, options: MailPluginOptions): Promise<void> => {
  const { http, addJobs, delivery, mailbox, pepper, publicUrl, stopMessageMail } = options;
  await unsubscribeRoutes(app, http, { pepper, publicUrl, stopMessageMail });
  if (mailbox) mailboxPage(app, mailbox);
  if (delivery) addJobs(mailJob({ ...options, delivery }));
};
