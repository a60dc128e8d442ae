import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { NotificationJob } from './events.ts';
import { notificationQueue } from './publishing.ts';
import type { NotificationService } from './service.ts';
import type { NotificationSettingsService } from './settings-service.ts';

export interface NotificationsPluginOptions {
  http: HttpDeps;
  addJobs: JobCollector;
  notifications: NotificationService;
  settings: NotificationSettingsService;
  storeEvent(job: NotificationJob): Promise<void>;
  sendEmails(): Promise<void>;
}

/** Registers the calls for notifications and their settings, and the jobs that store events and queue emails. */
export const notificationsPlugin = async (
  server: FastifyInstance,
  { http, addJobs, notifications, settings, storeEvent, sendEmails }: NotificationsPluginOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(notificationQueue, storeEvent),
    declareScheduledJob('email-notifications', '* * * * *', sendEmails),
  );

  serveCall(server, http, calls.listNotifications, ({ session, query }) =>
    notifications.list(session.userId, query.cursor),
  );
  serveCall(server, http, calls.readNotifications, ({ session, body }) =>
    notifications.markRead(session.userId, body.ids),
  );
  serveCall(server, http, calls.getNotificationSettings, ({ session }) => settings.get(session.userId));
  serveCall(server, http, calls.changeNotificationSettings, ({ session, body }) =>
    settings.change(session.userId, body),
  );
};
