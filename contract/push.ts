import { z } from 'zod';
import { notificationKinds } from './notifications.ts';
import { idSchema, instantSchema } from './text.ts';

/** Maximum number of devices on which a person gets push notifications; a new one replaces the one used least recently. */
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
    /** 16 random bytes in base64url. */
    auth: z.string().regex(/^[\w-]{22}$/, pushErrorMessages.keys),
  }),
});
export type PushSubscriptionBody = z.infer<typeof pushSubscriptionBodySchema>;

/** Query of DELETE /rest/v1/me/push-subscriptions; without `id`, that of the caller's own session is removed. */
export const pushSubscriptionQuerySchema = z.object({ id: idSchema.optional() });

/** A browser that gets a person's push notifications. */
export const pushDeviceSchema = z.object({
  id: idSchema,
  /** Browser and system, such as "Chrome on Android". */
  device_name: z.string(),
  created_at: instantSchema,
  /** When something was last sent to it; null before the first time. */
  last_used_at: instantSchema.nullable(),
  /** Whether it belongs to the session of the caller. */
  is_current: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/** The browsers that get a person's push notifications, the latest first. */
export const pushDevicesSchema = z.object({
  /** The public key with which a browser subscribes (VAPID, RFC 8292), in base64url. */
  application_server_key: z.string(),
  items: z.array(pushDeviceSchema),
});
export type PushDevices = z.infer<typeof pushDevicesSchema>;

/** What the subject of a push notification is. */
export const pushSources = ['conversation', 'notification', 'deal'] as const;
export type PushSourceName = (typeof pushSources)[number];

/** What a person is told about by a push notification; the texts are read when it is sent. */
export const pushSubjectSchema = z.object({
  source: z.enum(pushSources),
  /** The id of the conversation, the notification or the deal. */
  subject_id: idSchema,
  kind: z.enum(notificationKinds),
  /** Names the notice of a deal; empty otherwise. */
  detail: z.string().max(100),
});
export type PushSubject = z.infer<typeof pushSubjectSchema>;

/** What a push notification contains, encrypted for the browser. */
export interface PushPayload {
  title: string;
  /** Empty when there is nothing to add to the title. */
  text: string;
  /** The page that it leads to, as a path of the site. */
  path: string;
  /**
   * What it is about: `messages:` or `deals:` with the id of a conversation, `notification:` with the id of a notification,
   * or `notice:` with the id of a deal. A new push notification replaces a shown one with the same tag.
   */
  tag: string;
  /** What the notification is about, by which a browser asks the server whether it was read elsewhere. */
  subject: PushSubject;
}

/** Maximum number of push notifications that a browser can ask about at once. */
export const maxShownPushes = 30;

/** Body of POST /rest/v1/notifications/shown: what the push notifications are about that a browser shows. */
export const shownPushesSchema = z.object({ subjects: z.array(pushSubjectSchema).max(maxShownPushes) });

/** Whether each of these subjects is still unread, in the same order. */
export const shownPushStatesSchema = z.object({ is_unread: z.array(z.boolean()) });
