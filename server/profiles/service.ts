import type { Campus } from '#contract/campus.ts';
import { fieldProblem, problem } from '#contract/errors.ts';
import { nameFromAddress } from '#contract/names.ts';
import { photoSentences, toRootRelativeUrl } from '#contract/photos.ts';
import {
  type OwnProfile,
  type ProfileChange,
  type PublicUser,
  profileSentences,
} from '#contract/profiles.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { PhotoService } from '#server/photos/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import {
  findProfile,
  findPublicUser,
  lockAvatar,
  type ProfileRow,
  stopMessageMail,
  updateProfile,
} from './repository.ts';

interface ProfilesDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  photos: Pick<PhotoService, 'listOwned'>;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  /** Queues the removal of files as part of the transaction. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
}

const toOwnProfile = (row: ProfileRow): OwnProfile => ({
  id: row.id,
  email: row.email,
  full_name: row.full_name,
  role: row.role,
  bio: row.bio,
  avatar_url: row.avatar_url,
  usc_verified: row.usc_verified,
  email_messages: row.email_messages,
  show_full_name: row.show_full_name,
  updated_at: row.updated_at.toISOString(),
});

/** Creates the service for profiles: the caller's own, and everybody's public profile. */
export const createProfiles = ({ sql, clock, campus, photos, invalidation, removeFiles }: ProfilesDeps) => {
  const getOwn = async (userId: string): Promise<OwnProfile> => {
    const profile = await findProfile(sql, userId);
    if (!profile) throw problem('user_not_found');
    return toOwnProfile(profile);
  };

  const assertOwnAvatar = async (tx: Queryable, userId: string, url: string): Promise<void> => {
    const owned = await photos.listOwned(userId, 'avatars', [url], tx);
    if (owned.length === 0) throw fieldProblem({ avatar_url: photoSentences.foreign });
  };

  /**
   * Throws if the beginning of the email address looks like a staff name: other people see it when the full name is
   * hidden.
   */
  const assertAddressIsNoImitation = async (tx: Queryable, userId: string): Promise<void> => {
    const email = (await findProfile(tx, userId))?.email ?? '';
    if (email.startsWith(`${nameFromAddress(email, campus)}@`)) return;
    throw fieldProblem({ show_full_name: profileSentences.addressImitates });
  };

  return {
    getOwn,

    /** Changes the given fields and queues the removal of a replaced or removed picture. */
    change: async (userId: string, change: ProfileChange): Promise<OwnProfile> => {
      const given = change.avatar_url;
      const avatar = typeof given === 'string' ? toRootRelativeUrl(given) : given;
      await sql.begin(async (tx) => {
        if (change.show_full_name === false) await assertAddressIsNoImitation(tx, userId);
        const before = await lockAvatar(tx, userId);
        if (typeof avatar === 'string') await assertOwnAvatar(tx, userId, avatar);
        await updateProfile(tx, userId, { ...change, avatar_url: avatar }, clock.now());
        if (before && avatar !== undefined && avatar !== before) await removeFiles(tx, [before]);
      });
      await invalidation.profileChanged(userId);
      return getOwn(userId);
    },

    /** Turns off emails about messages, for the holder of an unsubscribe link. */
    stopMessageMail: (userId: string): Promise<void> => stopMessageMail(sql, userId, clock.now()),

    getPublic: async (id: string): Promise<PublicUser> => {
      const user = await findPublicUser(sql, id);
      if (!user) throw problem('user_not_found');
      return user;
    },
  };
};

export type Profiles = ReturnType<typeof createProfiles>;
