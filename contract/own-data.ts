import { z } from 'zod';
import { ownListingSchema } from './listings.ts';
import { buckets } from './photos.ts';
import { ownProfileSchema } from './profiles.ts';
import { idSchema, instantSchema } from './text.ts';

/** A message of an exported conversation and its sender. */
const exportedMessageSchema = z.object({
  from: z.enum(['you', 'other']),
  text: z.string(),
  sent_at: instantSchema,
});
export type ExportedMessage = z.infer<typeof exportedMessageSchema>;

/** A published listing or a draft with all its stored fields. */
export const exportedListingSchema = ownListingSchema
  .omit({ user_id: true, images: true })
  .extend({ published_at: instantSchema.nullable(), hidden_at: instantSchema.nullable() });
export type ExportedListing = z.infer<typeof exportedListingSchema>;

/** The fields of the profile that the export lists as settings. */
const settingsFields = { email_messages: true, show_full_name: true } as const;

/**
 * The data export: everything stored about a person. About other people it contains only what the person can see on the
 * site: display names and the messages they sent to this person.
 */
export const ownDataSchema = z.object({
  exported_at: instantSchema,
  /** URL of the site. */
  site: z.string(),
  profile: ownProfileSchema.omit(settingsFields).extend({ created_at: instantSchema }),
  settings: ownProfileSchema.pick(settingsFields),
  account: z.object({
    confirmed_at: instantSchema.nullable(),
    /** When the password was last set or the address was confirmed. */
    credentials_changed_at: instantSchema,
    suspended_at: instantSchema.nullable(),
  }),
  sessions: z.array(z.object({ method: z.string(), began_at: instantSchema, last_used_at: instantSchema })),
  /** Browsers in which the person has logged in, recognized by a cookie. */
  devices: z.array(z.object({ first_used_at: instantSchema, last_used_at: instantSchema })),
  /** All stored photos and avatars; URLs are absolute. */
  photos: z.array(
    z.object({
      url: z.string(),
      bucket: z.enum(buckets),
      width: z.int(),
      height: z.int(),
      uploaded_at: instantSchema,
    }),
  ),
  /** Published listings and drafts, newest first. */
  listings: z.array(exportedListingSchema),
  /** Forms that the person sent while signed in. */
  forms: z.array(
    z.object({
      kind: z.string(),
      sent_at: instantSchema,
      content: z.record(z.string(), z.unknown()),
      done_at: instantSchema.nullable(),
    }),
  ),
  /** Conversations, oldest first; in each, the messages are oldest first. */
  conversations: z.array(
    z.object({
      id: idSchema,
      listing: z.string(),
      you_are: z.enum(['buyer', 'seller']),
      /** Display name of the other party; null once that account is deleted. */
      with: z.string().nullable(),
      began_at: instantSchema,
      /** Number of messages that the person has read. */
      read_messages: z.int(),
      /** When the person last read or wrote a message in this conversation. */
      last_seen_at: instantSchema.nullable(),
      messages: z.array(exportedMessageSchema),
    }),
  ),
  /** Sign-ins and other security events of the last 90 days, oldest first. */
  security_events: z.array(z.object({ at: instantSchema, event: z.string(), detail: z.string().nullable() })),
});
export type OwnData = z.infer<typeof ownDataSchema>;
