export { findNotificationDigest, skipDueNotificationEmails } from './emails.ts';
export type { NotificationFacts } from './events.ts';
export { countUnreadNotifications } from './notifications.ts';
export {
  notificationQueue,
  notify,
  publishNotificationsChanged,
  storeNotificationEvent,
} from './publishing.ts';
export { findNotificationPush, type PushContent, type PushContentRequest } from './push-source.ts';
export { markAnsweredQuestionsRead, markEventsRead, markSubjectRead } from './repository.ts';
export { exportNotificationSettings } from './settings.ts';
export { renderDecision } from './texts.ts';
