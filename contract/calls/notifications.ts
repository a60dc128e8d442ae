import {
  notificationPageSchema,
  notificationQuerySchema,
  notificationSettingsChangeSchema,
  notificationSettingsSchema,
  notificationTotalSchema,
  readNotificationsSchema,
} from '../notifications.ts';
import { declareCall } from './declare-call.ts';

/** Notifications on the site and on devices. */
export const notificationCalls = {
  // Notifications
  listNotifications: declareCall({
    method: 'GET',
    path: '/rest/v1/notifications',
    summary: 'What the caller was notified about in the app, the latest first, thirty at a time.',
    access: 'user',
    query: notificationQuerySchema,
    output: notificationPageSchema,
    errors: [],
  }),
  readNotifications: declareCall({
    method: 'POST',
    path: '/rest/v1/notifications/read',
    summary: 'Marks notifications of the caller as read, or all of them; returns how many are unread then.',
    access: 'user',
    body: readNotificationsSchema,
    output: notificationTotalSchema,
    errors: [],
    limit: 'write',
  }),
  getNotificationSettings: declareCall({
    method: 'GET',
    path: '/rest/v1/me/notification-settings',
    summary:
      'Which notifications the caller gets on which channel, the quiet hours, and when the daily email is sent.',
    access: 'user',
    output: notificationSettingsSchema,
    errors: [],
  }),
  changeNotificationSettings: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me/notification-settings',
    summary:
      'Changes notification settings; what the body leaves out stays. Applies to what is already waiting to be sent.',
    access: 'user',
    body: notificationSettingsChangeSchema,
    output: notificationSettingsSchema,
    errors: [],
    limit: 'write',
  }),

} as const;
