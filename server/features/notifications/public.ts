/** Public API of notifications for the rest of the server. */
export {
  createNotificationEmailJob,
  createNotificationMailSource,
  skipDueNotificationEmails,
} from './emails.ts';
export type { NotificationFacts } from './events.ts';
export {
  createNotificationJob,
  createNotifier,
  type Notifier,
  notificationQueue,
  notify,
  publishNotificationsChanged,
} from './publishing.ts';
export { createNotificationPushSource } from './push-source.ts';
export { markSubjectRead } from './repository.ts';
export { createNotificationService } from './service.ts';
export { createNotificationSettingsService } from './settings-service.ts';
export { renderDecision } from './texts.ts';
