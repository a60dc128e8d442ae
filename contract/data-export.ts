import { z } from 'zod';
import { messageKinds } from './conversations.ts';
import { eventLineSchema } from './deal-event-lines.ts';
import { dealKinds, dealStates } from './deal-states.ts';
import { ownListingSchema } from './listings.ts';
import { caseActions } from './moderation.ts';
import { notificationSettingsSchema } from './notifications.ts';
import { storageBuckets } from './photos.ts';
import { ownProfileSchema } from './profiles.ts';
import { reportReasons, reportSubjectTypes } from './reports.ts';
import { savedSearchSchema } from './saved-searches.ts';
import { idSchema, instantSchema } from './text.ts';

/**
 * A message of an exported conversation, and who sent it. If the message is an event line, `step` is what it
 * records: a transition of a deal, a change to its listing, or a sale that the buyer could confirm.
 */
const exportedMessageSchema = z.object({
  from: z.enum(['you', 'other', 'system']),
  kind: z.enum(messageKinds),
  text: z.string(),
  step: eventLineSchema.nullable(),
  /** URLs of the photos of the message, which can be read while logged in. Empty for a person who cannot log in. */
  photos: z.array(z.string()),
  /** Which message of the conversation this one replies to, counted from 1, or null. */
  reply_to: z.int().nullable(),
  is_unsent: z.boolean(),
  sent_at: instantSchema,
});
export type ExportedMessage = z.infer<typeof exportedMessageSchema>;

/** A listing as the data export contains it, with all stored fields. */
export const exportedListingSchema = ownListingSchema
  .omit({
    user_id: true,
    images: true,
    rental: true,
    open_deals: true,
    save_count: true,
    waiting_offers: true,
    hold: true,
    sold_to: true,
    sold_to_name: true,
    tended_at: true,
    awaits_membership: true,
  })
  .extend({ hidden_at: instantSchema.nullable() });
export type ExportedListing = z.infer<typeof exportedListingSchema>;

const nullablePartySchema = z.enum(['buyer', 'seller']).nullable();
const nullableInstantSchema = instantSchema.nullable();

/**
 * A deal as the data export contains it, with all stored fields. Its transitions are in the event lines of
 * its conversation.
 */
export const exportedDealSchema = z.object({
  id: idSchema,
  conversation_id: idSchema,
  you_are: z.enum(['buyer', 'seller']),
  kind: z.enum(dealKinds),
  state: z.enum(dealStates),
  turn: nullablePartySchema,
  title: z.string(),
  price: z.number().nullable(),
  first_day: z.string().nullable(),
  last_day: z.string().nullable(),
  pickup_time: z.string().nullable(),
  return_time: z.string().nullable(),
  requested_last_day: z.string().nullable(),
  deposit: z.number().nullable(),
  requested_extra_price: z.number().nullable(),
  extra_price: z.number().nullable(),
  number: z.int(),
  offer_count: z.int(),
  deadline_at: nullableInstantSchema,
  is_waiting: z.boolean(),
  draw_rank: z.int().nullable(),
  hold_hours: z.int(),
  place: z.string().nullable(),
  proposed_times: z.array(instantSchema),
  handover_proposed_by: nullablePartySchema,
  handover_at: nullableInstantSchema,
  handover_agreed_at: nullableInstantSchema,
  agreed_place: z.string().nullable(),
  is_running_late: z.boolean(),
  is_buyer_here: z.boolean(),
  is_seller_here: z.boolean(),
  is_buyer_late: z.boolean(),
  is_seller_late: z.boolean(),
  buyer_late_at: nullableInstantSchema,
  seller_late_at: nullableInstantSchema,
  has_agreed_in_chat: z.boolean(),
  has_kept_hold: z.boolean(),
  has_objected: z.boolean(),
  cancelled_by: nullablePartySchema,
  is_late: z.boolean(),
  reported: nullablePartySchema,
  is_contested: z.boolean(),
  created_at: instantSchema,
  changed_at: instantSchema,
  completed_at: nullableInstantSchema,
});
export type ExportedDeal = z.infer<typeof exportedDealSchema>;

/** A review that the person wrote or received. */
const exportedReviewSchema = z.object({
  rating: z.int(),
  tags: z.array(z.string()),
  text: z.string(),
  written_at: instantSchema,
  changed_at: instantSchema,
  /** When the review became public, or will become public. */
  public_at: instantSchema,
  /** When a moderator removed the review, or null when it was not removed. */
  removed_at: instantSchema.nullable(),
});
export type ExportedReview = z.infer<typeof exportedReviewSchema>;

/** The fields of the profile that the export lists under the settings instead of under the profile. */
const settingsFields = {
  email_messages: true,
  show_full_name: true,
  show_seen: true,
  show_typing: true,
  away_until: true,
} as const;

/**
 * The data export: everything that is stored about a person. About other people it contains only what the
 * person can see on the site: display names, and messages that the person received.
 */
export const personalDataExportSchema = z.object({
  exported_at: instantSchema,
  /** Public URL of the site. */
  site: z.string(),
  /** ISO 4217 code of the currency of all prices. */
  currency: z.string(),
  /** IANA name of the time zone of days and of times without one. */
  timezone: z.string(),
  profile: ownProfileSchema
    .omit({ ...settingsFields, is_role_verified: true, membership: true })
    .extend({ created_at: instantSchema }),
  settings: ownProfileSchema.pick(settingsFields).extend({
    /** Notification settings; `channels_off` lists the channels that are switched off, as in `saved_listings.email`. */
    notifications: notificationSettingsSchema
      .omit({ channels: true })
      .extend({ channels_off: z.array(z.string()) }),
  }),
  account: z.object({
    confirmed_at: instantSchema.nullable(),
    /** When the password was last set or the email address was last confirmed, whichever is later. */
    credentials_changed_at: instantSchema,
    suspended_at: instantSchema.nullable(),
    /** When the suspension ends by itself, or null when it does not. */
    suspended_until: instantSchema.nullable(),
    /** When an administrator removed the verified badge, or null when it was not removed. */
    badge_removed_at: instantSchema.nullable(),
  }),
  /** The membership of the campus, or null for a person without one. */
  membership: z
    .object({
      confirmed_at: instantSchema.nullable(),
      confirmed_with: z.string().nullable(),
      /** The day from which on it counts as unconfirmed. */
      due_on: z.iso.date().nullable(),
      ends_on: z.iso.date().nullable(),
      ended_at: instantSchema.nullable(),
      /** Whether the university's sign-on states that the person is no member. */
      is_denied: z.boolean(),
      /** Whether the verified badge returns with the membership. */
      had_badge: z.boolean().nullable(),
    })
    .nullable(),
  sessions: z.array(
    z.object({
      method: z.string(),
      began_at: instantSchema,
      last_used_at: instantSchema,
      /** When the second factor was entered in this session, or null for a session without it. */
      second_factor_at: instantSchema.nullable(),
      second_factor_method: z.string().nullable(),
      /** When the person last confirmed their identity (with password or code) in this session. */
      reauthenticated_at: instantSchema.nullable(),
      /** Browser and system that logged in, or null for sessions that began before this was recorded. */
      device_name: z.string().nullable(),
    }),
  ),
  /** Passkeys, without their keys, oldest first. */
  passkeys: z.array(
    z.object({ name: z.string(), created_at: instantSchema, last_used_at: instantSchema.nullable() }),
  ),
  /** The connected account of the university's sign-on. */
  identities: z.array(
    z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string().nullable(),
      role: z.string().nullable(),
      connected_at: instantSchema,
      last_used_at: instantSchema,
    }),
  ),
  /** Authenticator apps and sets of recovery codes, without their secrets, oldest first. */
  second_factors: z.array(
    z.object({
      kind: z.string(),
      name: z.string().nullable(),
      created_at: instantSchema,
      /**
       * When the person entered the first code of this second factor, or null while its set-up is not
       * finished.
       */
      verified_at: instantSchema.nullable(),
      updated_at: instantSchema,
    }),
  ),
  /** Browsers in which the person has logged in. The server recognizes them by a cookie. */
  devices: z.array(z.object({ first_used_at: instantSchema, last_used_at: instantSchema })),
  /** Browsers that get push notifications, oldest first, each with its URL at a push service. */
  push_devices: z.array(
    z.object({
      endpoint: z.string(),
      device_name: z.string(),
      created_at: instantSchema,
      last_used_at: instantSchema.nullable(),
    }),
  ),
  /**
   * All stored photos and avatars of the person; URLs are absolute. Those of messages can be read while logged in; the URL
   * is null if the photo has not been sent or the person cannot log in.
   */
  photos: z.array(
    z.object({
      url: z.string().nullable(),
      bucket: z.enum(storageBuckets),
      width: z.int(),
      height: z.int(),
      uploaded_at: instantSchema,
    }),
  ),
  /** All listings of the person, newest first. */
  listings: z.array(exportedListingSchema),
  /** Reviews that the person wrote, oldest first. */
  reviews_written: z.array(exportedReviewSchema),
  /** Public reviews about the person, oldest first. */
  reviews_received: z.array(exportedReviewSchema),
  /** Forms that the person sent while signed in. */
  forms: z.array(
    z.object({
      kind: z.string(),
      sent_at: instantSchema,
      content: z.record(z.string(), z.unknown()),
      done_at: instantSchema.nullable(),
    }),
  ),
  /** The person's reports to the moderators, oldest first. */
  reports: z.array(
    z.object({
      subject: z.enum(reportSubjectTypes),
      reason: z.enum(reportReasons),
      text: z.string(),
      reported_at: instantSchema,
    }),
  ),
  /** Decisions of moderators about the person, oldest first. */
  decisions: z.array(
    z.object({
      subject: z.enum(reportSubjectTypes),
      action: z.enum(caseActions),
      reason: z.string(),
      days: z.int().nullable(),
      decided_at: instantSchema,
      reversed_at: instantSchema.nullable(),
      appeal: z
        .object({
          text: z.string(),
          sent_at: instantSchema,
          decided_at: instantSchema.nullable(),
          is_granted: z.boolean().nullable(),
        })
        .nullable(),
    }),
  ),
  /** The person's conversations, oldest first; the messages of each are oldest first, too. */
  conversations: z.array(
    z.object({
      id: idSchema,
      listing: z.string(),
      you_are: z.enum(['buyer', 'seller']),
      /** Display name of the other party, or null once that account is deleted. */
      with: z.string().nullable(),
      began_at: instantSchema,
      /** Number of messages in the conversation that the person has read. */
      read_messages: z.int(),
      /** When the person last read or wrote a message in this conversation. */
      last_seen_at: instantSchema.nullable(),
      /** Number of messages when the person archived the conversation, or null. Later messages bring it back. */
      archived_messages: z.int().nullable(),
      muted_until: instantSchema.nullable(),
      /** Whether the person marked the conversation as unread and has not opened it since. */
      marked_unread: z.boolean(),
      messages: z.array(exportedMessageSchema),
    }),
  ),
  /** People whom the person blocked, oldest first, with their current names. */
  blocked_people: z.array(z.object({ user_id: idSchema, name: z.string(), blocked_at: instantSchema })),
  /** Listings that the person saved, with their title and price at that time, oldest first. */
  saved_listings: z.array(
    z.object({
      listing_id: idSchema,
      title: z.string(),
      price: z.number(),
      rental_period: z.string(),
      saved_at: instantSchema,
    }),
  ),
  /** Searches that the person saved, oldest first. */
  saved_searches: z.array(savedSearchSchema.extend({ announced_at: instantSchema.nullable() })),
  /** What the person looks for or looked for, oldest first. */
  wanted_posts: z.array(
    z.object({
      title: z.string(),
      category: z.string(),
      max_price: z.number().nullable(),
      until: z.string(),
      created_at: instantSchema,
      updated_at: instantSchema,
      closed_at: instantSchema.nullable(),
      hidden_at: instantSchema.nullable(),
      hidden_reason: z.string().nullable(),
    }),
  ),
  /**
   * The person's notifications, oldest first. `subject_id` is the id of what a notification is about, such as
   * a listing or a saved search.
   */
  notifications: z.array(
    z.object({
      kind: z.string(),
      event: z.string(),
      subject_id: idSchema,
      facts: z.record(z.string(), z.unknown()),
      /** Number of events that the notification combines. */
      count: z.int(),
      created_at: instantSchema,
      read_at: instantSchema.nullable(),
    }),
  ),
  /** The person's deals, oldest first. */
  deals: z.array(exportedDealSchema),
  /** Sign-ins and other security events of the last 90 days, oldest first. */
  security_events: z.array(z.object({ at: instantSchema, event: z.string(), detail: z.string().nullable() })),
});
export type PersonalDataExport = z.infer<typeof personalDataExportSchema>;
