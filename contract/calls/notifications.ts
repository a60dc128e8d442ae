import { successResponseSchema } from '../accounts.ts';
import {
  markNotificationsReadSchema,
  notificationPageSchema,
  notificationQuerySchema,
  notificationSettingsChangeSchema,
  notificationSettingsSchema,
  unreadNotificationTotalSchema,
} from '../notifications.ts';
import {
  displayedPushNotificationsSchema,
  pushDeviceSchema,
  pushDevicesSchema,
  pushNotificationUnreadStatesSchema,
  pushSubscriptionBodySchema,
  pushSubscriptionQuerySchema,
} from '../push.ts';
import { declareCall } from './declare-call.ts';

/** Calls about notifications in the app, notification settings and push notifications. */
export const notificationCalls = {
  // Calls about notifications in the app and notification settings
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
    body: markNotificationsReadSchema,
    output: unreadNotificationTotalSchema,
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

  // Calls about push notifications
  listPushSubscriptions: declareCall({
    method: 'GET',
    path: '/rest/v1/me/push-subscriptions',
    summary:
      'The browsers that get push notifications of the caller, and the key with which a browser subscribes (VAPID).',
    access: 'user',
    output: pushDevicesSchema,
    errors: [],
  }),
  savePushSubscription: declareCall({
    method: 'POST',
    path: '/rest/v1/me/push-subscriptions',
    summary:
      "Sends push notifications to the browser of the caller's session, until it ends. Replaces an earlier subscription of the session or the browser.",
    access: 'user',
    body: pushSubscriptionBodySchema,
    output: pushDeviceSchema,
    errors: [],
    limit: 'write',
  }),
  removePushSubscription: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/push-subscriptions',
    summary:
      "Ends push notifications to one of the caller's browsers; without an id, to that of the session. Nothing changes when it is removed already.",
    access: 'user',
    query: pushSubscriptionQuerySchema,
    output: successResponseSchema,
    errors: [],
    limit: 'write',
  }),
  checkShownPushes: declareCall({
    method: 'POST',
    path: '/rest/v1/notifications/shown',
    summary:
      'Whether what the push notifications of a browser are about is still unread, in the same order; the browser closes the others.',
    access: 'user',
    body: displayedPushNotificationsSchema,
    output: pushNotificationUnreadStatesSchema,
    errors: [],
    limit: 'write',
  }),
} as const;
