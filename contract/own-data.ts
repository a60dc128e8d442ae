import { z } from 'zod';
import { categories, conditions } from './categories.ts';
import { listingStatuses } from './listings.ts';
import { buckets } from './photos.ts';
import { roles } from './profiles.ts';
import { idSchema, instantSchema } from './text.ts';

/** A message of a conversation, by who wrote it. */
const writtenSchema = z.object({
  from: z.enum(['you', 'other']),
  text: z.string(),
  sent_at: instantSchema,
});
export type Written = z.infer<typeof writtenSchema>;

/**
 * Everything that is kept about a person, as the person downloads it. Of others it holds what the person may see on
 * the site anyway: the name they go by, and what they wrote to this person.
 */
export const ownDataSchema = z.object({
  exported_at: instantSchema,
  /** Address of the site this comes from. */
  site: z.string(),
  profile: z.object({
    id: idSchema,
    email: z.string(),
    full_name: z.string().nullable(),
    role: z.enum(roles).nullable(),
    bio: z.string().nullable(),
    avatar_url: z.string().nullable(),
    usc_verified: z.boolean(),
    created_at: instantSchema,
    updated_at: instantSchema,
  }),
  settings: z.object({ email_messages: z.boolean(), show_full_name: z.boolean() }),
  sessions: z.array(z.object({ method: z.string(), began_at: instantSchema, last_used_at: instantSchema })),
  /** Every stored photo and avatar; addresses are whole. */
  photos: z.array(
    z.object({
      url: z.string(),
      bucket: z.enum(buckets),
      width: z.int(),
      height: z.int(),
      uploaded_at: instantSchema,
    }),
  ),
  /** Published and drafts, the newest first. */
  listings: z.array(
    z.object({
      id: idSchema,
      slug: z.string(),
      status: z.enum(listingStatuses),
      title: z.string().nullable(),
      description: z.string().nullable(),
      price: z.number().nullable(),
      category: z.enum(categories).nullable(),
      condition: z.enum(conditions).nullable(),
      location: z.string().nullable(),
      game_date: z.iso.date().nullable(),
      contact_email: z.string().nullable(),
      contact_phone: z.string().nullable(),
      photos: z.array(z.string()),
      created_at: instantSchema,
      updated_at: instantSchema,
      published_at: instantSchema.nullable(),
    }),
  ),
  /** Forms of the static pages that were sent while signed in. */
  forms: z.array(
    z.object({ kind: z.string(), sent_at: instantSchema, content: z.record(z.string(), z.unknown()) }),
  ),
  /** The oldest first, each with its messages, the oldest first. */
  conversations: z.array(
    z.object({
      id: idSchema,
      listing: z.string(),
      you_are: z.enum(['buyer', 'seller']),
      /** The name the other party goes by; null once that account is deleted. */
      with: z.string().nullable(),
      began_at: instantSchema,
      messages: z.array(writtenSchema),
    }),
  ),
});
export type OwnData = z.infer<typeof ownDataSchema>;
