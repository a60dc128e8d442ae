/** The public API of the notifications feature for other features and the shell. */
export { applyNotificationEvent, markNotificationsRead, refreshNotifications } from './notification-cache.ts';
export { useUnreadNotifications } from './use-unread-notifications.ts';
