import type { Campus } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import { photoErrorMessages, toRootRelativeUrl } from '#contract/photos.ts';
import {
  type OwnProfile,
  type ProfileChange,
  type PublicProfile,
  profileErrorMessages,
} from '#contract/profiles.ts';
import { idSchema } from '#contract/text.ts';
import type { PhotoService } from '#server/features/photos/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { presentCampusAddress } from './campus-address.ts';
import { findPublicProfile, hasPublicProfile } from './public-profile-repository.ts';
import {
  disableMessageEmails,
  findProfile,
  lockAvatar,
  type ProfileRow,
  updateProfile,
} from './repository.ts';

interface ProfilesDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  photos: Pick<PhotoService, 'listOwned'>;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  /** Queues the removal of files in the given transaction; they are deleted after it commits. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
}

const toOwnProfile = (row: ProfileRow): OwnProfile => ({
  id: row.id,
  email: row.email,
  full_name: row.full_name,
  role: row.role,
  bio: row.bio,
  is_bio_public: row.is_bio_public,
  avatar_url: row.avatar_url,
  usc_verified: row.usc_verified,
  console_role: row.console_role,
  campus_address: presentCampusAddress(row),
  email_messages: row.email_messages,
  show_full_name: row.show_full_name,
  updated_at: row.updated_at.toISOString(),
});

/** Creates the service for a user's own profile and for public profiles. */
export const createProfileService = ({
  sql,
  clock,
  campus,
  photos,
  invalidation,
  removeFiles,
}: ProfilesDeps) => {
  const getOwn = async (userId: string): Promise<OwnProfile> => {
    const profile = await findProfile(sql, userId);
    if (!profile) throw createProblem('user_not_found');
    return toOwnProfile(profile);
  };

  const assertOwnAvatar = async (tx: Queryable, userId: string, url: string): Promise<void> => {
    const owned = await photos.listOwned(userId, 'avatars', [url], tx);
    if (owned.length === 0) throw createFieldProblem({ avatar_url: photoErrorMessages.foreign });
  };

  /**
   * Throws if the part of the email address before the @ looks like a staff name, because other
   * people see this part when the full name is hidden.
   */
  const assertAddressIsNoImpersonation = async (tx: Queryable, userId: string): Promise<void> => {
    const email = (await findProfile(tx, userId))?.email ?? '';
    if (email.startsWith(`${getDisplayNameFromEmail(email, campus)}@`)) return;
    throw createFieldProblem({ show_full_name: profileErrorMessages.addressImitates });
  };

  return {
    getOwn,

    /** Changes the given fields and queues the removal of a replaced or removed picture. */
    change: async (userId: string, change: ProfileChange): Promise<OwnProfile> => {
      const given = change.avatar_url;
      const avatar = typeof given === 'string' ? toRootRelativeUrl(given) : given;
      await sql.begin(async (tx) => {
        if (change.show_full_name === false) await assertAddressIsNoImpersonation(tx, userId);
        const before = await lockAvatar(tx, userId);
        if (typeof avatar === 'string') await assertOwnAvatar(tx, userId, avatar);
        await updateProfile(tx, userId, { ...change, avatar_url: avatar }, clock.now());
        if (before && avatar !== undefined && avatar !== before) await removeFiles(tx, [before]);
      });
      await invalidation.profileChanged(userId);
      return getOwn(userId);
    },

    /** Turns off emails about messages, for the holder of an unsubscribe link. */
    stopMessageMail: (userId: string): Promise<void> => disableMessageEmails(sql, userId, clock.now()),

    /** Throws user_not_found for a missing, unconfirmed or suspended person. */
    assertHasProfile: async (id: string): Promise<void> => {
      if (!(await hasPublicProfile(sql, id))) throw createProblem('user_not_found');
    },

    /** Returns a public profile. Throws user_not_found for a missing, unconfirmed or suspended person. */
    getPublic: async (id: string): Promise<PublicProfile> => {
      const user = idSchema.safeParse(id).success && (await findPublicProfile(sql, id, clock.now()));
      if (!user) throw createProblem('user_not_found');
      return user;
    },
  };
};

export type ProfileService = ReturnType<typeof createProfileService>;
