import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { queueNotificationEmails } from './emails.ts';
import { listNotifications, markNotificationsRead } from './notifications.ts';
import { notificationQueue, storeNotificationEvent } from './publishing.ts';
import { changeNotificationSettings, getNotificationSettings } from './settings.ts';
import { registerUnsubscribeRoutes } from './unsubscribe-routes.ts';

/**
 * Registers the calls for notifications and their settings, the unsubscribe link of emails, and the jobs that store events
 * and queue emails.
 */
export const notificationsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(notificationQueue, (job) => storeNotificationEvent(app, job)),
    declareScheduledJob('email-notifications', '* * * * *', () => queueNotificationEmails(app)),
  );

  serveCall(server, app, calls.listNotifications, ({ session, query }) =>
    listNotifications(app, session.userId, query.cursor),
  );
  serveCall(server, app, calls.readNotifications, ({ session, body }) =>
    markNotificationsRead(app, session.userId, body.ids),
  );
  serveCall(server, app, calls.getNotificationSettings, ({ session }) =>
    getNotificationSettings(app, session.userId),
  );
  serveCall(server, app, calls.changeNotificationSettings, ({ session, body }) =>
    changeNotificationSettings(app, session.userId, body),
  );
  await registerUnsubscribeRoutes(server, app);
};
