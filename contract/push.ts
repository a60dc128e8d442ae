import { z } from 'zod';
import { notificationKinds } from './notifications.ts';
import { idSchema, instantSchema } from './text.ts';

/**
 * Maximum number of devices that get a person's push notifications. A further device replaces the least
 * recently used one.
 */
export const maxPushDevices = 20;

export const pushErrorMessages = {
  endpoint: 'This push service cannot be used',
  keys: 'These keys cannot be used',
} as const;

/** Body of POST /rest/v1/me/push-subscriptions: what `PushSubscription.toJSON()` returns in a browser (W3C Push API). */
export const pushSubscriptionBodySchema = z.object({
  endpoint: z
    .url({ protocol: /^https$/, error: pushErrorMessages.endpoint })
    .max(1000, pushErrorMessages.endpoint),
  keys: z.object({
    /** The public key of the browser: an uncompressed point of P-256 in base64url (RFC 8291). */
    p256dh: z.string().regex(/^B[\w-]{86}$/, pushErrorMessages.keys),
    /** The authentication secret of the subscription: 16 random bytes in base64url (RFC 8291). */
    auth: z.string().regex(/^[\w-]{22}$/, pushErrorMessages.keys),
  }),
});
export type PushSubscriptionBody = z.infer<typeof pushSubscriptionBodySchema>;

/**
 * Query of DELETE /rest/v1/me/push-subscriptions. Without `id`, it removes the subscription of the caller's
 * session.
 */
export const pushSubscriptionQuerySchema = z.object({ id: idSchema.optional() });

/** A browser that gets a person's push notifications. */
export const pushDeviceSchema = z.object({
  id: idSchema,
  /** Browser and system, such as "Chrome on Android". */
  device_name: z.string(),
  created_at: instantSchema,
  /** When a push notification was last sent to this browser, or null when none has been sent yet. */
  last_used_at: instantSchema.nullable(),
  /** Whether the browser subscribed during the caller's current session. */
  is_current: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/** The browsers that get the caller's push notifications, most recently subscribed first. */
export const pushDevicesSchema = z.object({
  /** The public key with which a browser subscribes (VAPID, RFC 8292), in base64url. */
  application_server_key: z.string(),
  items: z.array(pushDeviceSchema),
});
export type PushDevices = z.infer<typeof pushDevicesSchema>;

/** The kinds of objects that a push notification can be about. */
const pushSubjectTypes = ['conversation', 'notification', 'deal'] as const;

/**
 * The event that a push notification is about. It contains no texts: the server reads them when it sends the
 * notification.
 */
export const pushSubjectSchema = z.object({
  source: z.enum(pushSubjectTypes),
  /** Id of the conversation, notification or deal that the push notification is about. */
  subject_id: idSchema,
  kind: z.enum(notificationKinds),
  /** For a deal, the kind of notice that is sent about it; for a message that was unsent, `unsent`; otherwise empty. */
  detail: z.string().max(100),
});
export type PushSubject = z.infer<typeof pushSubjectSchema>;

/** The content of a push notification, which is sent to the browser encrypted. */
export interface PushPayload {
  title: string;
  /** The text below the title; empty when the title says everything. */
  text: string;
  /** Path of the page that opens when the notification is clicked. */
  path: string;
  /**
   * Identifies what the notification is about: `messages:` or `deals:` with the id of a conversation,
   * `notification:` with the id of a notification, or `notice:` with the id of a deal. A new push
   * notification replaces a displayed one that has the same tag.
   */
  tag: string;
  /**
   * The event that the notification is about. The browser sends it to the server to ask whether the person
   * has already read about the event elsewhere.
   */
  subject: PushSubject;
}

/** Maximum number of displayed push notifications that one request can ask about. */
export const maxDisplayedPushNotifications = 30;

/**
 * Body of POST /rest/v1/notifications/shown: the events that the browser's displayed push notifications are
 * about.
 */
export const displayedPushNotificationsSchema = z.object({
  subjects: z.array(pushSubjectSchema).max(maxDisplayedPushNotifications),
});

/** Whether each subject of the request is still unread, in the order of the request. */
export const pushNotificationUnreadStatesSchema = z.object({ is_unread: z.array(z.boolean()) });
