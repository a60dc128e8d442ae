import type { FastifyInstance } from 'fastify';
import type { NotificationKind } from '#contract/notifications.ts';
import type { HttpDeps } from '#server/http/serve.ts';
import type { JobCollector } from '#server/platform/jobs.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { MailDelivery } from './delivery.ts';
import { registerDevMailboxPage } from './dev-mailbox-page.ts';
import { createMailJob, type MailJobDeps } from './outbox.ts';
import { registerUnsubscribeRoutes } from './unsubscribe-routes.ts';

interface MailPluginOptions extends Omit<MailJobDeps, 'delivery'> {
  http: HttpDeps;
  addJobs: JobCollector;
  /** Sends queued emails. It is undefined while mail is off; emails then stay in the queue. */
  delivery: MailDelivery | undefined;
  /** The database that stores the development mailbox, or undefined when the mailbox page is disabled. */
  mailbox: Sql | undefined;
  /** Switches off emails of these kinds for a person. */
  stopEmails(userId: string, kinds: readonly NotificationKind[]): Promise<void>;
}

/**
 * Registers the mail feature: the job that sends queued emails, the unsubscribe link and, in development, the mailbox.
 */
export const mailPlugin = async (server: FastifyInstance, options: MailPluginOptions): Promise<void> => {
  const { http, addJobs, delivery, mailbox, pepper, publicUrl, stopEmails } = options;
  await registerUnsubscribeRoutes(server, http, { pepper, publicUrl, stopEmails });
  if (mailbox) registerDevMailboxPage(server, mailbox);
  if (delivery) addJobs(createMailJob({ ...options, delivery }));
};
