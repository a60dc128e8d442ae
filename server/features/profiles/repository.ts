import type { ConsoleRole } from '#contract/console.ts';
import type { CampusRole, ProfileChange } from '#contract/profiles.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import type { CampusAddressColumns } from './sql.ts';

type LeftJoinedMembership = {
  [Name in 'due_on' | 'ends_on' | 'ended_at' | 'is_denied' | 'questions']: Tables['memberships'][Name] | null;
};

export interface ProfileRow extends CampusAddressColumns, LeftJoinedMembership {
  id: string;
  email: string;
  full_name: string | null;
  role: CampusRole | null;
  is_role_verified: boolean;
  bio: string | null;
  is_bio_public: boolean;
  avatar_url: string | null;
  usc_verified: boolean;
  console_role: ConsoleRole | null;
  email_messages: boolean;
  show_full_name: boolean;
  show_seen: boolean;
  show_typing: boolean;
  away_until: string | null;
  updated_at: Date;
}

export const findProfile = async (sql: Queryable, id: string): Promise<ProfileRow | undefined> => {
  const [profile] = await sql<ProfileRow[]>`
    SELECT u.id, u.email, u.full_name, u.role, u.bio, u.is_bio_public, u.avatar_url, u.usc_verified,
      c.console_role, a.email AS campus_email, a.requested_at AS campus_email_requested_at,
      a.verified_at AS campus_email_verified_at, u.email_messages, u.show_full_name, u.show_seen, u.show_typing,
      u.away_until, u.updated_at, m.due_on, m.ends_on, m.ended_at, m.is_denied, m.questions,
      EXISTS (SELECT FROM private.identities i WHERE i.user_id = u.id AND i.role IS NOT NULL) AS is_role_verified
    FROM users u JOIN private.credentials c ON c.user_id = u.id
      LEFT JOIN private.campus_addresses a ON a.user_id = u.id
      LEFT JOIN private.memberships m ON m.user_id = u.id
    WHERE u.id = ${id}`;
  return profile;
};

/** Returns the avatar URL of a profile and locks the profile until the transaction ends. */
export const lockAvatar = async (tx: Queryable, id: string): Promise<string | null> => {
  const [row] = await tx<{ avatar_url: string | null }[]>`
    SELECT avatar_url FROM users WHERE id = ${id} FOR UPDATE`;
  return row?.avatar_url ?? null;
};

/** Updates the fields of a profile that the change contains and leaves the others as they are. */
export const updateProfile = async (
  tx: Queryable,
  id: string,
  change: ProfileChange,
  now: Date,
): Promise<void> => {
  const hasField = (name: keyof ProfileChange) => change[name] !== undefined;
  await tx`
    UPDATE users SET
      full_name = CASE WHEN ${hasField('full_name')} THEN ${change.full_name ?? null} ELSE full_name END,
      role = CASE WHEN ${hasField('role')} THEN ${change.role ?? null} ELSE role END,
      bio = CASE WHEN ${hasField('bio')} THEN ${change.bio || null} ELSE bio END,
      is_bio_public = is_bio_public OR ${hasField('bio')},
      avatar_url = CASE WHEN ${hasField('avatar_url')} THEN ${change.avatar_url ?? null} ELSE avatar_url END,
      email_messages = coalesce(${change.email_messages ?? null}, email_messages),
      show_full_name = coalesce(${change.show_full_name ?? null}, show_full_name),
      show_seen = coalesce(${change.show_seen ?? null}, show_seen),
      show_typing = coalesce(${change.show_typing ?? null}, show_typing),
      updated_at = ${now}
    WHERE id = ${id}`;
};
