import { z } from 'zod';
import { newPasswordSchema } from './accounts.ts';
import type { Campus } from './campus.ts';
import { fullNameSchema } from './names.ts';
import { photoSentences } from './photos.ts';
import { idSchema, instantSchema, paragraph, storable } from './text.ts';

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
const bioSchema = paragraph({
  required: profileSentences.bioLong,
  max: { length: bioLength, sentence: profileSentences.bioLong },
});

/** The public part of a profile. */
export const publicUserSchema = z.object({
  id: idSchema,
  /** Display name: the full name where shown, else the part of the address before the at-sign, else 'User'. */
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
  /** Whether mail about new messages is on. */
  email_messages: z.boolean(),
  /** Whether others see the full name; else the part of the address before the at-sign. */
  show_full_name: z.boolean(),
  updated_at: instantSchema,
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

/** Returns the schema of the body of PATCH /rest/v1/me: every field is optional, and only the given ones change. */
export const profileChangeSchema = (campus: Campus) =>
  z.object({
    full_name: fullNameSchema(campus).optional(),
    role: roleSchema.optional(),
    bio: bioSchema.nullable().optional(),
    /** A URL this server issued to this person in the avatars bucket, or null to remove the picture. */
    avatar_url: storable(photoSentences.foreign, 500).nullable().optional(),
    email_messages: z.boolean().optional(),
    show_full_name: z.boolean().optional(),
  });
export type ProfileChange = z.infer<ReturnType<typeof profileChangeSchema>>;

/** Body of DELETE /rest/v1/me: the confirmation word. */
export const deletionSchema = z.object({
  confirmation: z.literal('DELETE', { error: profileSentences.deletionWord }),
});

const nameAndRole = (campus: Campus) => z.object({ full_name: fullNameSchema(campus), role: roleSchema });

/**
 * Returns the schema of the first-time set-up: name and role are required; an account without a password may also set one.
 */
export const profileSetupSchema = (campus: Campus) =>
  nameAndRole(campus).extend({ password: newPasswordSchema.or(z.literal('')) });

/** Returns the schema of the editor: name and role are required, the bio is optional. */
export const profileFormSchema = (campus: Campus) => nameAndRole(campus).extend({ bio: bioSchema });

/** Returns how complete a profile is in percent: 25 plus a share for each part (specification §9). */
export const profileCompletion = (
  profile: Pick<OwnProfile, 'full_name' | 'avatar_url' | 'bio' | 'usc_verified'>,
): number =>
  25 +
  (profile.full_name?.trim() ? 25 : 0) +
  (profile.avatar_url ? 25 : 0) +
  (profile.bio?.trim() ? 15 : 0) +
  (profile.usc_verified ? 10 : 0);

/** Returns the name others see (specification §3): the full name, else the local part of the address, else 'User'. */
export const displayName = (person: { full_name: string | null; email?: string | null }): string =>
  person.full_name?.trim() || person.email?.split('@')[0] || 'User';
