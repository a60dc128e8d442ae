import { signOnProviderName } from '#contract/accounts.ts';
import type { CampusRole } from '#contract/profiles.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** An identity as its owner sees it, in the format of the Supabase client. */
export interface AccountIdentity {
  identity_id: string;
  /** The subject, by which the provider knows the person. */
  id: string;
  identity_data: { sub: string; iss: string; email: string | null };
  provider: string;
  created_at: string;
  last_sign_in_at: string;
  updated_at: string;
}

/** Returns an SQL expression for the JSON array of identities (`AccountIdentity`) of the account `user_id`. */
export const toAccountIdentitiesSql = (userId: Fragment) => fragment`
  (SELECT coalesce(jsonb_agg(jsonb_build_object('identity_id', i.id, 'id', i.subject, 'provider', ${signOnProviderName}::text,
      'identity_data', jsonb_build_object('sub', i.subject, 'iss', i.issuer, 'email', i.email),
      'created_at', i.created_at, 'last_sign_in_at', i.last_used_at, 'updated_at', i.last_used_at)), '[]')
    FROM private.identities i WHERE i.user_id = ${userId})`;

/** The key of an identity. The email address is no part of it, because it can be given to another person. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

export const findIdentityOwner = async (
  sql: Queryable,
  { issuer, subject }: IdentityKey,
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.identities WHERE issuer = ${issuer} AND subject = ${subject}`;
  return row?.user_id;
};

export const hasIdentity = async (sql: Queryable, userId: string): Promise<boolean> => {
  const { count } = await sql`SELECT FROM private.identities WHERE user_id = ${userId}`;
  return count > 0;
};

interface IdentityFacts extends IdentityKey {
  email: string | null;
  role: CampusRole | null;
}

/** Returns false when the identity or the account is connected already. */
export const insertIdentity = async (
  tx: Queryable,
  userId: string,
  { issuer, subject, email, role }: IdentityFacts,
  now: Date,
): Promise<boolean> => {
  const { count } = await tx`
    INSERT INTO private.identities (user_id, issuer, subject, email, role, created_at, last_used_at)
    VALUES (${userId}, ${issuer}, ${subject}, ${email}, ${role}, ${now}, ${now})
    ON CONFLICT DO NOTHING`;
  return count > 0;
};

/**
 * Stores what the provider stated at a log-in. The role stays while it does not state that the person is a member, and the
 * address stays if `isPartial` and it is missing.
 */
export const updateIdentity = async (
  tx: Queryable,
  {
    issuer,
    subject,
    email,
    role,
    isMember,
    isPartial,
  }: IdentityFacts & { isMember?: boolean | undefined; isPartial: boolean },
  now: Date,
): Promise<void> => {
  await tx`
    UPDATE private.identities SET last_used_at = ${now},
      email = CASE WHEN ${isPartial} THEN coalesce(${email}, email) ELSE ${email} END,
      role = CASE WHEN ${isMember ?? false} THEN ${role} ELSE role END
    WHERE issuer = ${issuer} AND subject = ${subject}`;
};

export const countIdentities = async (sql: Queryable, issuer: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) FROM private.identities WHERE issuer = ${issuer}`;
  return row?.count ?? 0;
};

/** Gives the identities of an issuer to another one that has no identity with the same subject. Returns how many. */
export const moveIdentities = async (
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<number> => {
  const { count } = await tx`
    UPDATE private.identities i SET issuer = ${to} WHERE issuer = ${from} AND NOT EXISTS (
      SELECT FROM private.identities o WHERE o.issuer = ${to} AND o.subject = i.subject)`;
  return count;
};

/** Sets the role of a person. Returns whether it was another one. */
export const setRole = async (
  tx: Queryable,
  { userId, role, now }: { userId: string; role: CampusRole; now: Date },
): Promise<boolean> => {
  const { count } = await tx`
    UPDATE users SET role = ${role}, updated_at = ${now} WHERE id = ${userId} AND role IS DISTINCT FROM ${role}`;
  return count > 0;
};

/** Deletes the identity of a person, if it has the id, or whatever its id is. Returns false when there is none. */
export const deleteIdentity = async (
  tx: Queryable,
  { id = null, userId }: { id?: string | null | undefined; userId: string },
): Promise<boolean> => {
  const { count } = await tx`
    DELETE FROM private.identities WHERE user_id = ${userId} AND (${id}::uuid IS NULL OR id = ${id})`;
  return count > 0;
};
