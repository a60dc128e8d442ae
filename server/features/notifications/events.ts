import { z } from 'zod';
import { consoleRoles } from '#contract/console.ts';
import { maxListingsPerQuestion, type NotificationKind } from '#contract/notifications.ts';
import { reportSubjectTypes } from '#contract/reports.ts';
import { idSchema } from '#contract/text.ts';
import { dayInSeconds } from '#server/platform/clock.ts';

/**
 * The state of a restored listing that is not public: it is a draft, held for review, or still taken down
 * because of another decision.
 */
const restoredStateSchema = z.enum(['draft', 'in_review', 'taken_down']).optional();
const noFactsSchema = z.object({});
/** A calendar day on the campus. */
const dayFactsSchema = z.object({ day: z.iso.date() });
const momentFactsSchema = z.object({ at: z.iso.datetime() });
const matchFactsSchema = z.object({
  /** Ids of the newest matching listings, whose titles the text of the notification contains. */
  listing_ids: z.array(idSchema).max(3),
});

interface EventDefinition {
  kind: NotificationKind;
  /** Facts about the event that must be stored with it, because the subject's row does not contain them. */
  facts: z.ZodObject;
  /**
   * How many seconds pass before an email about an event is sent, unless the notification is read in the
   * meantime. Null for an event that has an email of its own.
   */
  emailDelay?: number | null;
  /** Minimum time between two notifications of a person about the same subject, in seconds; later events are dropped. */
  minGap?: number;
}

/**
 * All events that people are notified about. Each comment names the subject of the event. Security events have none, so
 * that each of them is a notification of its own.
 */
export const notificationEvents = {
  /**
   * The person is asked whether listings are still available. Subject: none, so that each question is a notification of
   * its own.
   */
  availability_asked: {
    kind: 'availability',
    facts: z.object({
      /** The same as `asked_at` of these listings, until a later question. */
      asked_at: z.iso.datetime(),
      listing_ids: z.array(idSchema).min(1).max(maxListingsPerQuestion),
    }),
  },
  /** A review of the person has become public. Subject: the deal. */
  review_published: { kind: 'reviews', facts: noFactsSchema },
  /** A saved listing costs less than in the last 30 days. Subject: the listing. */
  price_dropped: {
    kind: 'saved_listings',
    facts: z.object({ price: z.number(), lowest_before: z.number() }),
    minGap: dayInSeconds,
  },
  /** The hold on a saved listing has ended, and no other offer is waiting for it. Subject: the listing. */
  available_again: { kind: 'saved_listings', facts: noFactsSchema },
  /** A saved listing was sold, given away or rented. Subject: the listing. */
  listing_sold: { kind: 'saved_listings', facts: noFactsSchema },
  /** New listings match a saved search with instant alerts. Subject: the search. */
  search_matched: { kind: 'saved_searches', facts: matchFactsSchema },
  /**
   * New listings match a saved search with daily alerts. Subject: the search. The email waits two minutes, so that all
   * searches of the person share it.
   */
  search_digest: { kind: 'saved_searches', facts: matchFactsSchema, emailDelay: 120 },
  /** Somebody posted what the person looks for, and told them. Subject: the listing, so that each is told once. */
  wanted_found: { kind: 'saved_searches', facts: matchFactsSchema.extend({ slug: z.string() }) },
  /** A moderator took down a listing of the person. Subject: the listing. */
  listing_taken_down: { kind: 'moderation', facts: noFactsSchema },
  /** A moderator restored a listing of the person. Subject: the listing. */
  listing_restored: { kind: 'moderation', facts: noFactsSchema },
  /** A moderator removed a review that the person wrote, or restored it. Subject: the deal. */
  review_removed: { kind: 'moderation', facts: noFactsSchema },
  review_restored: { kind: 'moderation', facts: noFactsSchema },
  /** A moderator approved a listing of the person that was held for review. Subject: the listing. */
  listing_approved: { kind: 'moderation', facts: noFactsSchema },
  /** A moderator turned a listing of the person into a draft and asked for changes. Subject: the listing. */
  listing_changes_requested: { kind: 'moderation', facts: noFactsSchema },
  /**
   * A moderator warned the person, took down or requested changes to their listing, or reversed such a
   * decision. Subject: the moderation action.
   */
  decision_made: {
    kind: 'moderation',
    facts: z.object({
      action: z.enum(['warn', 'unpublish', 'request_changes', 'restore']),
      reason: z.string(),
      /** The title of the listing, or null when the decision is about the person. */
      title: z.string().nullable(),
      listing_state: restoredStateSchema,
    }),
  },
  /**
   * A moderator decided about an appeal of the person. Subject: the moderation action that records this
   * decision.
   */
  appeal_decided: {
    kind: 'moderation',
    facts: z.object({ is_granted: z.boolean(), reason: z.string(), listing_state: restoredStateSchema }),
  },
  /** A moderator handled a report that the person sent. Subject: the moderation case. */
  report_handled: {
    kind: 'moderation',
    facts: z.object({
      /** `gone` means that the listing or the account was deleted before anything was decided. */
      outcome: z.enum(['acted', 'nothing', 'gone', 'restored']),
      subject: z.enum(reportSubjectTypes),
      /** The title of the reported listing, or the name of the reported person. */
      title: z.string(),
    }),
  },
  /** Somebody logged in to the account on an unknown device. */
  new_device: {
    kind: 'security',
    facts: momentFactsSchema.extend({
      /** Browser and operating system. It is missing in notifications that earlier versions stored. */
      device_name: z.string().optional(),
      /** Whether the log-in also requires the second factor to be complete. */
      needs_second_factor: z.boolean().optional(),
    }),
    emailDelay: 0,
  },
  /** An administrator gave the person the verified badge, or removed it. */
  badge_granted: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  badge_removed: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** An administrator ended all sessions of the person. */
  sessions_ended: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** An administrator confirmed the email address of the account. */
  account_confirmed: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** An administrator gave the person a role in the console, or took it away. */
  role_changed: {
    kind: 'security',
    facts: momentFactsSchema.extend({ role: z.enum(['user', ...consoleRoles]) }),
    emailDelay: 0,
  },
  /** The person set up an authenticator app. */
  second_factor_added: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** The person or an administrator removed the authenticator app. */
  second_factor_removed: {
    kind: 'security',
    facts: momentFactsSchema.extend({ by_administrator: z.boolean() }),
    emailDelay: 0,
  },
  /** The university's sign-on was connected to the account, or disconnected from it. */
  sign_on_connected: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  sign_on_disconnected: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** The person is asked to confirm their membership of the campus. It ends, or has ended. */
  membership_asked: { kind: 'security', facts: dayFactsSchema, emailDelay: null },
  membership_ending: {
    kind: 'security',
    facts: dayFactsSchema.extend({
      /** Whether the university's sign-on states that the person is no member. */
      is_denied: z.boolean(),
    }),
    emailDelay: null,
  },
  membership_ended: { kind: 'security', facts: noFactsSchema, emailDelay: null },
  /** A passkey was added to the account. */
  passkey_added: { kind: 'security', facts: momentFactsSchema.extend({ name: z.string() }), emailDelay: 0 },
  /** A passkey was removed from the account; all of them, if `name` is null. By its owner in rows of versions before 0.13. */
  passkey_removed: {
    kind: 'security',
    facts: momentFactsSchema.extend({
      name: z.string().nullable(),
      by_administrator: z.boolean().optional(),
    }),
    emailDelay: 0,
  },
  /** Somebody logged in with a recovery code. */
  recovery_code_used: {
    kind: 'security',
    facts: momentFactsSchema.extend({ remaining: z.int() }),
    emailDelay: 0,
  },
  /** The recovery codes were replaced with new ones. */
  recovery_codes_replaced: { kind: 'security', facts: momentFactsSchema, emailDelay: 0 },
  /** The password of the account was changed. */
  password_changed: {
    kind: 'security',
    facts: momentFactsSchema.extend({
      /** Whether the account can request reset links. It is missing in notifications that earlier versions stored. */
      has_reset_links: z.boolean().optional(),
    }),
    emailDelay: 0,
  },
} as const satisfies Record<string, EventDefinition>;

export type NotificationEventName = keyof typeof notificationEvents;
export type NotificationFacts<Name extends NotificationEventName> = z.infer<
  (typeof notificationEvents)[Name]['facts']
>;

const defaultEmailDelay = 15 * 60;

export const getEventDefinition = (
  name: NotificationEventName,
): Required<Pick<EventDefinition, 'kind' | 'emailDelay' | 'minGap'>> => ({
  emailDelay: defaultEmailDelay,
  minGap: 0,
  ...notificationEvents[name],
});

type EventWithoutSubject = {
  [Name in NotificationEventName]: (typeof notificationEvents)[Name]['kind'] extends
    | 'security'
    | 'availability'
    ? Name
    : never;
}[NotificationEventName];

/** An event and the people who may want to know about it. */
export interface EventWithRecipients<Name extends NotificationEventName> {
  /** The id of the event's subject (see `notificationEvents`), or null for an event without one. */
  subjectId: Name extends EventWithoutSubject ? null : string;
  facts: NotificationFacts<Name>;
  userIds: readonly string[];
  /** Number of occurrences; 1 by default. */
  count?: number;
}

export const maxNotificationsPerJob = 500;

export const notificationJobSchema = z.object({
  id: idSchema,
  event: z.enum(Object.keys(notificationEvents) as [NotificationEventName]),
  items: z
    .array(
      z.object({
        user_id: idSchema,
        subject_id: idSchema,
        facts: z.record(z.string(), z.unknown()),
        count: z.int(),
      }),
    )
    .max(maxNotificationsPerJob),
});
export type NotificationJob = z.infer<typeof notificationJobSchema>;
