import { z } from 'zod';
import type { NotificationKind } from '#contract/notifications.ts';
import { idSchema } from '#contract/text.ts';

const noFactsSchema = z.object({});

/**
 * Everything that people are notified about: its kind, what its subject is, and the facts that are not read from the
 * subject's row when the notification is shown.
 */
export const notificationEvents = {
  /** A review of the person has become public. Subject: the deal. */
  review_published: { kind: 'reviews', facts: noFactsSchema },
  /** A saved listing costs less than in the last 30 days. Subject: the listing. */
  price_dropped: {
    kind: 'saved_listings',
    facts: z.object({ price: z.number(), lowest_before: z.number() }),
  },
  /** The hold on a saved listing has ended, and nobody waits for it. Subject: the listing. */
  available_again: { kind: 'saved_listings', facts: noFactsSchema },
  /** A saved listing was sold, given away or rented. Subject: the listing. */
  listing_sold: { kind: 'saved_listings', facts: noFactsSchema },
  /** A moderator took down a listing of the person. Subject: the listing. */
  listing_taken_down: { kind: 'moderation', facts: z.object({ reason: z.string() }) },
  /** A moderator restored a listing of the person. Subject: the listing. */
  listing_restored: { kind: 'moderation', facts: noFactsSchema },
  /** Somebody logged in to the account on a device that was not known. Subject: the account. */
  new_device: { kind: 'security', facts: z.object({ at: z.iso.datetime() }) },
  /** The password of the account was changed. Subject: the account. */
  password_changed: { kind: 'security', facts: z.object({ at: z.iso.datetime() }) },
} as const satisfies Record<string, { kind: NotificationKind; facts: z.ZodObject }>;

export type NotificationEventName = keyof typeof notificationEvents;
export type NotificationFacts<Name extends NotificationEventName> = z.infer<
  (typeof notificationEvents)[Name]['facts']
>;

/** Something that happened to people, who may want to know. */
export type NotificationEvent = {
  [Name in NotificationEventName]: {
    event: Name;
    /** The id of what it is about; see `notificationEvents`. */
    subjectId: string;
    facts: NotificationFacts<Name>;
    userIds: readonly string[];
  };
}[NotificationEventName];

/** Maximum number of people in one job. */
export const maxPeoplePerJob = 500;

export const notificationJobSchema = z.object({
  id: idSchema,
  event: z.enum(Object.keys(notificationEvents) as [NotificationEventName]),
  subject_id: idSchema,
  facts: z.record(z.string(), z.unknown()),
  user_ids: z.array(idSchema).max(maxPeoplePerJob),
});
export type NotificationJob = z.infer<typeof notificationJobSchema>;
