/** The public API of the notifications feature for other features and the shell. */
export {
  applyNotificationEvent,
  markNotificationsRead,
  refreshNotifications,
  useUnreadNotifications,
} from './notification-cache.ts';
