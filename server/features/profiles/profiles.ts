import { type Campus, isCampusEmail, isSignOnRequired, toCampusDay } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import { photoErrorMessages, toRootRelativeUrl } from '#contract/photos.ts';
import {
  type CampusRole,
  type OwnProfile,
  type ProfileChange,
  type PublicProfile,
  profileErrorMessages,
} from '#contract/profiles.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { listOwnedPhotos, queueFileRemoval } from '#server/features/photos/public.ts';
import { invalidateProfilePages } from '#server/pages/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { presentCampusAddress } from './campus-address.ts';
import { findPublicProfile, hasPublicProfile } from './public-profile-repository.ts';
import { findProfile, lockAvatar, type ProfileRow, updateProfile } from './repository.ts';

const presentMembership = (row: ProfileRow, campus: Campus): OwnProfile['membership'] => {
  const { due_on: dueOn, ends_on: endsOn, is_denied: isDenied } = row;
  // A row that says no more than that somebody is no member is none.
  if (isDenied === null || (isDenied && endsOn === null && row.ended_at === null)) return null;
  const added = row.campus_email_verified_at === null ? null : row.campus_email;
  const campusEmail = [row.email, added ?? ''].find((email) => isCampusEmail(campus, email));
  return {
    due_on: dueOn,
    ends_on: row.ended_at ? null : endsOn,
    has_ended: row.ended_at !== null,
    can_confirm: campusEmail !== undefined && !isDenied && !isSignOnRequired(campus, campusEmail),
    is_asked: (row.questions ?? 0) > 0,
  };
};

const toOwnProfile = (row: ProfileRow, today: string, campus: Campus): OwnProfile => ({
  id: row.id,
  email: row.email,
  full_name: row.full_name,
  role: row.role,
  is_role_verified: row.is_role_verified,
  bio: row.bio,
  is_bio_public: row.is_bio_public,
  avatar_url: row.avatar_url,
  usc_verified: row.usc_verified,
  console_role: row.console_role,
  campus_address: presentCampusAddress(row),
  email_messages: row.email_messages,
  show_full_name: row.show_full_name,
  show_seen: row.show_seen,
  show_typing: row.show_typing,
  away_until: row.away_until !== null && row.away_until > today ? row.away_until : null,
  membership: presentMembership(row, campus),
  updated_at: row.updated_at.toISOString(),
});

/** Returns a person's profile as they see it themselves. */
export const getOwnProfile = async (app: App, userId: string): Promise<OwnProfile> => {
  const profile = await findProfile(app.sql, userId);
  if (!profile) throw createProblem('user_not_found');
  const { campus } = app.config;
  return toOwnProfile(profile, toCampusDay(campus, app.clock.now()), campus);
};

const assertOwnAvatar = async (app: App, tx: Queryable, userId: string, url: string): Promise<void> => {
  const owned = await listOwnedPhotos(app, userId, 'avatars', [url], tx);
  if (owned.length === 0) throw createFieldProblem({ avatar_url: photoErrorMessages.foreign });
};

/**
 * Throws if the part of the email address before the @ looks like a staff name, because other
 * people see this part when the full name is hidden.
 */
const assertAddressIsNoImpersonation = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  const email = (await findProfile(tx, userId))?.email ?? '';
  if (email.startsWith(`${getDisplayNameFromEmail(email, app.config.campus)}@`)) return;
  throw createFieldProblem({ show_full_name: profileErrorMessages.addressImitates });
};

/** Throws for a role that differs from the one that the university states. */
const assertRoleIsOwn = async (tx: Queryable, userId: string, role: CampusRole): Promise<void> => {
  const profile = await findProfile(tx, userId);
  if (profile?.is_role_verified && profile.role !== role)
    throw createFieldProblem({ role: profileErrorMessages.roleVerified });
};

/** Changes the given fields and queues the removal of a replaced or removed picture. */
export const changeProfile = async (app: App, userId: string, change: ProfileChange): Promise<OwnProfile> => {
  const given = change.avatar_url;
  const avatar = typeof given === 'string' ? toRootRelativeUrl(given) : given;
  await runInTransaction(app.sql, async (tx) => {
    if (change.show_full_name === false) await assertAddressIsNoImpersonation(app, tx, userId);
    if (change.role !== undefined) await assertRoleIsOwn(tx, userId, change.role);
    const before = await lockAvatar(tx, userId);
    if (typeof avatar === 'string') await assertOwnAvatar(app, tx, userId, avatar);
    await updateProfile(tx, userId, { ...change, avatar_url: avatar }, app.clock.now());
    if (before && avatar !== undefined && avatar !== before) await queueFileRemoval(app, tx, [before]);
  });
  await invalidateProfilePages(app, userId);
  return getOwnProfile(app, userId);
};

/** Throws user_not_found for a missing, unconfirmed or suspended person. */
export const assertHasProfile = async (app: App, id: string): Promise<void> => {
  if (!(await hasPublicProfile(app.sql, id))) throw createProblem('user_not_found');
};

/** Returns a public profile. Throws user_not_found for a missing, unconfirmed or suspended person. */
export const getPublicProfile = async (app: App, id: string): Promise<PublicProfile> => {
  const user = idSchema.safeParse(id).success && (await findPublicProfile(app.sql, id, app.clock.now()));
  if (!user) throw createProblem('user_not_found');
  return user;
};
