import { z } from 'zod';
import { newPasswordSchema } from './accounts.ts';
import { awayUntilSchema } from './away-schema.ts';
import type { Campus } from './campus.ts';
import { consoleRoleSchema } from './console.ts';
import { membershipSchema } from './membership-schema.ts';
import { getFullNameSchema } from './names.ts';
import { photoErrorMessages } from './photos.ts';
import { createParagraphSchema, createStorableTextSchema, idSchema, instantSchema } from './text.ts';

export const campusRoles = ['Student', 'Alumni', 'Staff'] as const;
export type CampusRole = (typeof campusRoles)[number];

export const profileErrorMessages = {
  required: 'Please complete all required fields',
  role: 'Please select your role',
  roleVerified: 'Your university states your role, so it cannot be changed here',
  bioLong: 'Bio must be at most 500 characters',
  saveFailed: 'We could not save your profile. Please try again',
  addressImitates:
    'Others would see the first part of your email address, which looks like the name of staff',
  deletionWord: 'Type DELETE to confirm',
} as const;

export const maxBioLength = 500;

const roleSchema = z.enum(campusRoles, { error: profileErrorMessages.role });
const bioSchema = createParagraphSchema({
  required: profileErrorMessages.bioLong,
  max: { length: maxBioLength, sentence: profileErrorMessages.bioLong },
});

/** The public fields of a person's profile. */
export const publicUserSchema = z.object({
  id: idSchema,
  /**
   * Display name: the full name if the person shows it, otherwise the part of the email address before the at-sign, or
   * 'User'.
   */
  name: z.string(),
  avatar_url: z.string().nullable(),
  usc_verified: z.boolean(),
});
export type PublicUser = z.infer<typeof publicUserSchema>;

/** The public fields of a person's profile, with their rating. */
export const ratedUserSchema = publicUserSchema.extend({
  /** Average of the public reviews in stars, with two decimals. Null when there are none. */
  rating: z.number().nullable(),
  /**
   * Number of public reviews about the person. Of several reviews by the same author, only the newest counts.
   */
  review_count: z.int(),
});

/** How soon a person usually replies to a first message: within an hour or within a day. */
export const typicalReplyTimes = ['hour', 'day'] as const;
export type TypicalReplyTime = (typeof typicalReplyTimes)[number];

/** A person's public profile, as everyone sees it (deals.md, "Reviews and public profiles"). */
export const publicProfileSchema = ratedUserSchema.extend({
  /** The role that the person has chosen, such as student. Null when the person is not verified. */
  role: z.enum(campusRoles).nullable(),
  /** The bio. Null when the person has none, or last saved it before bios became public. */
  bio: z.string().nullable(),
  member_since: instantSchema,
  /**
   * How soon the person usually replies. Null when there were too few conversations, or when replies usually
   * take longer than a day.
   */
  response_time: z.enum(typicalReplyTimes).nullable(),
  /** Number of deals that the person completed as buyer or seller. */
  completed_trades: z.int(),
  /**
   * Percentage of the person's deals in the last 12 months that were completed. Only completed deals, and
   * deals that failed because the person canceled late or did not come, are counted. Null when there were too
   * few such deals.
   */
  deals_kept: z.int().nullable(),
});
export type PublicProfile = z.infer<typeof publicProfileSchema>;

/** The signed-in person's own profile (specification §3, user profile). */
export const ownProfileSchema = z.object({
  id: idSchema,
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum(campusRoles).nullable(),
  /** Whether the university states the role, so that the person cannot change it. */
  is_role_verified: z.boolean(),
  bio: z.string().nullable(),
  /**
   * Whether the public profile shows the bio: false when the bio was last saved before bios became public.
   */
  is_bio_public: z.boolean(),
  avatar_url: z.string().nullable(),
  usc_verified: z.boolean(),
  /** The person's role in the moderation console, or null for most people. */
  console_role: consoleRoleSchema.nullable(),
  /**
   * A campus email address that the person added, because they log in with another address. When they enter
   * the code that was sent to it, `verified_at` is set and they get the verified badge. Nobody else sees this
   * address.
   */
  campus_address: z
    .object({ email: z.string(), requested_at: instantSchema, verified_at: instantSchema.nullable() })
    .nullable(),
  /** Whether the person receives emails about new messages. */
  email_messages: z.boolean(),
  /** Whether other people see the full name; otherwise they see the part of the email address before the at-sign. */
  show_full_name: z.boolean(),
  /**
   * Whether the other parties of conversations see what the person has read and how lately they were active, and whether
   * they see that the person is typing. Both work in both directions.
   */
  show_seen: z.boolean(),
  show_typing: z.boolean(),
  /** The first day on which the person is back, or null while they are not away. */
  away_until: awayUntilSchema,
  /** The membership of the campus, or null for a person without one. */
  membership: membershipSchema.nullable(),
  updated_at: instantSchema,
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

/**
 * Returns the schema of the body of PATCH /rest/v1/me. Every field is optional; only the fields present are changed.
 */
export const createProfileChangeSchema = (campus: Campus) =>
  z.object({
    full_name: getFullNameSchema(campus).optional(),
    role: roleSchema.optional(),
    bio: bioSchema.nullable().optional(),
    /** URL of an avatar that this person uploaded, or null to remove the picture. */
    avatar_url: createStorableTextSchema(photoErrorMessages.foreign, 500).nullable().optional(),
    email_messages: z.boolean().optional(),
    show_full_name: z.boolean().optional(),
    show_seen: z.boolean().optional(),
    show_typing: z.boolean().optional(),
  });
export type ProfileChange = z.infer<ReturnType<typeof createProfileChangeSchema>>;

/** Body of DELETE /rest/v1/me, which deletes the account. The person types the word DELETE to confirm it. */
export const accountDeletionSchema = z.object({
  confirmation: z.literal('DELETE', { error: profileErrorMessages.deletionWord }),
});

const nameAndRoleSchema = (campus: Campus) =>
  z.object({ full_name: getFullNameSchema(campus), role: roleSchema });

/**
 * Returns the schema of the first-time profile set-up. Name and role are required. A person without a
 * password may also set one.
 */
export const createProfileSetupSchema = (campus: Campus) =>
  nameAndRoleSchema(campus).extend({ password: newPasswordSchema.or(z.literal('')) });

/** Returns the schema of the profile editor: name and role are required, the bio is optional. */
export const createProfileFormSchema = (campus: Campus) =>
  nameAndRoleSchema(campus).extend({ bio: bioSchema });

/**
 * Returns how complete a profile is, in percent: 25 for every account, plus a fixed number for each of name,
 * picture, bio and verified badge (specification §9).
 */
export const calculateProfileCompletion = (
  profile: Pick<OwnProfile, 'full_name' | 'avatar_url' | 'bio' | 'usc_verified'>,
): number =>
  25 +
  (profile.full_name?.trim() ? 25 : 0) +
  (profile.avatar_url ? 25 : 0) +
  (profile.bio?.trim() ? 15 : 0) +
  (profile.usc_verified ? 10 : 0);

/**
 * Returns the name that other people see (specification §3): the full name, otherwise the part of the email address
 * before the at-sign, otherwise 'User'.
 */
export const getDisplayName = (person: { full_name: string | null; email?: string | null }): string =>
  person.full_name?.trim() || person.email?.split('@')[0] || 'User';
