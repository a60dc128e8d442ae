import { z } from 'zod';
import { maxNotificationsPerCall } from './paging.ts';
import { photoSchema } from './photo-schema.ts';
import { idSchema, instantSchema } from './text.ts';

/** The kinds of notifications; the notification settings have one row for each kind. */
export const notificationKinds = [
  'messages',
  'deals',
  'availability',
  'reviews',
  'saved_listings',
  'saved_searches',
  'moderation',
  'security',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const notificationChannels = ['app', 'push', 'email'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/**
 * Whether a kind of notification uses a channel. With `choice`, the person can switch the channel on or off
 * for this kind; with `always` and `never`, they cannot. Messages and deals never appear among the
 * notifications in the app, because the Messages badge counts them.
 */
export const notificationChannelRules = {
  messages: { app: 'never', push: 'choice', email: 'choice' },
  deals: { app: 'never', push: 'choice', email: 'choice' },
  availability: { app: 'choice', push: 'choice', email: 'choice' },
  reviews: { app: 'choice', push: 'choice', email: 'choice' },
  saved_listings: { app: 'choice', push: 'choice', email: 'choice' },
  saved_searches: { app: 'choice', push: 'choice', email: 'choice' },
  moderation: { app: 'always', push: 'choice', email: 'choice' },
  security: { app: 'always', push: 'choice', email: 'always' },
} as const satisfies Record<NotificationKind, Record<NotificationChannel, 'choice' | 'always' | 'never'>>;

const hourSchema = z.int().min(0).max(23);

/**
 * The quiet hours of each day (campus time). During quiet hours, a person gets only security notices and
 * notices about a handover within the next three hours or the last hour. `from` may be later than `until`;
 * when they are equal, there are no quiet hours.
 */
const quietHoursSchema = z.object({ from: hourSchema, until: hourSchema });

/**
 * A kind of notification and a channel that a person can switch on or off for it, such as
 * `saved_listings.email`.
 */
export type SwitchableNotificationChannel = {
  [Kind in NotificationKind]: {
    [Channel in NotificationChannel]: (typeof notificationChannelRules)[Kind][Channel] extends 'choice'
      ? `${Kind}.${Channel}`
      : never;
  }[NotificationChannel];
}[NotificationKind];

/**
 * All combinations of a kind and a channel that a person can switch on or off, such as
 * `saved_listings.email`.
 */
export const switchableNotificationChannels = notificationKinds.flatMap((kind) =>
  notificationChannels
    .filter((channel) => notificationChannelRules[kind][channel] === 'choice')
    .map((channel) => `${kind}.${channel}` as SwitchableNotificationChannel),
);

/**
 * Returns the kinds of notifications that a person gets on a channel. `channelsOff` lists what the person has
 * switched off, such as `saved_listings.email`.
 */
export const listEnabledNotificationKinds = (
  channel: NotificationChannel,
  channelsOff: readonly string[],
): NotificationKind[] =>
  notificationKinds.filter((kind) => {
    const choice = notificationChannelRules[kind][channel];
    return choice === 'always' || (choice === 'choice' && !channelsOff.includes(`${kind}.${channel}`));
  });

/** Whether push notifications show their content, or hide it because anybody can read a lock screen. */
const pushContents = ['full', 'hidden'] as const;

/** Whether emails contain new messages and notifications in full, or only as a summary. */
const digestContents = ['full', 'brief'] as const;

/** The notification settings of one person. */
export const notificationSettingsSchema = z.object({
  /** Whether each combination of a kind and a channel (such as `saved_listings.email`) is switched on. */
  channels: z.record(z.enum(switchableNotificationChannels), z.boolean()),
  quiet_hours: quietHoursSchema,
  /** The hour of the day, in campus time, at which the daily email about saved searches is sent. */
  digest_hour: hourSchema,
  /** With `brief`, emails quote no messages, and contain other notifications only as titles. */
  digest_content: z.enum(digestContents),
  /** With `hidden`, push notifications do not say what they are about. */
  push_content: z.enum(pushContents),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

/** A change of notification settings; settings that are omitted stay unchanged. */
export const notificationSettingsChangeSchema = z.strictObject({
  channels: z.partialRecord(z.enum(switchableNotificationChannels), z.boolean()).optional(),
  quiet_hours: quietHoursSchema.partial().optional(),
  digest_hour: hourSchema.optional(),
  digest_content: z.enum(digestContents).optional(),
  push_content: z.enum(pushContents).optional(),
});
export type NotificationSettingsChange = z.infer<typeof notificationSettingsChangeSchema>;

/** The notification settings of a person who has never changed them. */
export const defaultNotificationSettings: NotificationSettings = {
  channels: Object.fromEntries(
    switchableNotificationChannels.map((name) => [name, true]),
  ) as NotificationSettings['channels'],
  quiet_hours: { from: 22, until: 8 },
  digest_hour: 8,
  digest_content: 'full',
  push_content: 'full',
};

/** A listing that a notification asks its owner about: whether it is still available. */
export const availabilityQuestionSchema = z.object({
  listing_id: idSchema,
  title: z.string(),
  cover: photoSchema.nullable(),
  /** `paused` means that the owner did not answer in time, so that others cannot find the listing any more. */
  state: z.enum(['asked', 'paused', 'answered']),
});
export type AvailabilityQuestion = z.infer<typeof availabilityQuestionSchema>;

/** Maximum number of listings that a person is asked about at once. The next question is about the others. */
export const maxListingsPerQuestion = 100;

/** Maximum number of listings that a notification, or an email about it, shows. */
export const maxShownQuestions = 20;

/** A notification that the app lists, as opposed to an email or a push notification. */
export const notificationSchema = z.object({
  id: idSchema,
  kind: z.enum(notificationKinds),
  title: z.string(),
  text: z.string(),
  /** Path of the page that the notification links to. */
  path: z.string(),
  /** The first of the listings that a notification about availability asks about; missing in all others. */
  questions: z.array(availabilityQuestionSchema).optional(),
  read_at: instantSchema.nullable(),
  created_at: instantSchema,
});
export type Notification = z.infer<typeof notificationSchema>;

/** Query of GET /rest/v1/notifications; `cursor` is the `next_cursor` of the previous page. */
export const notificationQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** The number of notifications in the app that the person has not read. */
export const unreadNotificationTotalSchema = z.object({ unread_total: z.int() });

/** One page of notifications, newest first. */
export const notificationPageSchema = z.object({
  items: z.array(notificationSchema),
  ...unreadNotificationTotalSchema.shape,
  next_cursor: z.string().nullable(),
});
export type NotificationPage = z.infer<typeof notificationPageSchema>;

/** Body of POST /rest/v1/notifications/read. Without `ids`, the call marks all notifications as read. */
export const markNotificationsReadSchema = z.object({
  ids: z.array(idSchema).max(maxNotificationsPerCall).optional(),
});
