import { z } from 'zod';
import { newPasswordSchema } from './accounts.ts';
import type { Campus } from './campus.ts';
import { fullNameSchema } from './names.ts';
import { photoSentences } from './photos.ts';
import { idSchema, instantSchema, paragraphSchema, storableTextSchema } from './text.ts';

export const roles = ['Student', 'Alumni', 'Staff'] as const;
export type Role = (typeof roles)[number];

export const profileSentences = {
  required: 'Please complete all required fields',
  role: 'Please select your role',
  bioLong: 'Bio must be at most 500 characters',
  saveFailed: 'We could not save your profile. Please try again',
  addressImitates:
    'Others would see the first part of your email address, which looks like the name of staff',
  deletionWord: 'Type DELETE to confirm',
} as const;

export const bioLength = 500;

const roleSchema = z.enum(roles, { error: profileSentences.role });
const bioSchema = paragraphSchema({
  required: profileSentences.bioLong,
  max: { length: bioLength, sentence: profileSentences.bioLong },
});

/** The public part of a profile. */
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

/** The signed-in person's own profile (specification §3, user profile). */
export const ownProfileSchema = z.object({
  id: idSchema,
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum(roles).nullable(),
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  usc_verified: z.boolean(),
  /** Whether the person receives emails about new messages. */
  email_messages: z.boolean(),
  /** Whether other people see the full name; otherwise they see the part of the email address before the at-sign. */
  show_full_name: z.boolean(),
  updated_at: instantSchema,
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

/**
 * Returns the schema of the body of PATCH /rest/v1/me. Every field is optional; only the fields present are changed.
 */
export const profileChangeSchema = (campus: Campus) =>
  z.object({
    full_name: fullNameSchema(campus).optional(),
    role: roleSchema.optional(),
    bio: bioSchema.nullable().optional(),
    /** URL of an avatar that this person uploaded, or null to remove the picture. */
    avatar_url: storableTextSchema(photoSentences.foreign, 500).nullable().optional(),
    email_messages: z.boolean().optional(),
    show_full_name: z.boolean().optional(),
  });
export type ProfileChange = z.infer<ReturnType<typeof profileChangeSchema>>;

/** Body of DELETE /rest/v1/me: the confirmation word. */
export const deletionSchema = z.object({
  confirmation: z.literal('DELETE', { error: profileSentences.deletionWord }),
});

const nameAndRoleSchema = (campus: Campus) =>
  z.object({ full_name: fullNameSchema(campus), role: roleSchema });

/**
 * Returns the schema of the first-time profile setup: name and role are required; a person without a password may also
 * set one.
 */
export const profileSetupSchema = (campus: Campus) =>
  nameAndRoleSchema(campus).extend({ password: newPasswordSchema.or(z.literal('')) });

/** Returns the schema of the profile editor: name and role are required, the bio is optional. */
export const profileFormSchema = (campus: Campus) => nameAndRoleSchema(campus).extend({ bio: bioSchema });

/**
 * Returns how complete a profile is, in percent: 25 for every account, plus a share for each completed part
 * (specification §9).
 */
export const profileCompletion = (
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
export const displayName = (person: { full_name: string | null; email?: string | null }): string =>
  person.full_name?.trim() || person.email?.split('@')[0] || 'User';
