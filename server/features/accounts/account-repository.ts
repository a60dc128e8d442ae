import { foldText, removeJoints } from '#contract/search-text.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { toContainsPattern } from '#server/platform/postgres/like-pattern.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import { type AccountIdentity, toAccountIdentitiesSql } from './identity-repository.ts';
import { type AccountFactor, toAccountFactorsSql } from './second-factor-repository.ts';

export interface Account
  extends Pick<Tables['users'], 'id' | 'email' | 'full_name' | 'created_at' | 'updated_at'>,
    Pick<Tables['credentials'], 'password_hash' | 'confirmed_at'> {
  /** When the account was suspended, or null while it is active. */
  suspended_at: Tables['credentials']['suspended_at'];
  /** When the suspension ends by itself, or null if only an administrator can lift it. */
  suspended_until: Tables['credentials']['suspended_until'];
  factors: AccountFactor[];
  /** The connected account of the university's sign-on, in a list because the Supabase client expects one. */
  identities: AccountIdentity[];
  has_passkeys: boolean;
}

export const findAccountByEmail = async (sql: Queryable, email: string): Promise<Account | undefined> => {
  const [account] = await sql<Account[]>`
    SELECT u.id, u.email, u.full_name, c.password_hash, c.confirmed_at, c.suspended_at, c.suspended_until, u.created_at, u.updated_at,
      ${toAccountFactorsSql(fragment`u.id`)} AS factors, ${toAccountIdentitiesSql(fragment`u.id`)} AS identities,
      EXISTS (SELECT FROM private.passkeys p WHERE p.user_id = u.id) AS has_passkeys
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.email = ${email}`;
  return account;
};

export const findAccount = async (sql: Queryable, id: string): Promise<Account | undefined> => {
  const [account] = await sql<Account[]>`
    SELECT u.id, u.email, u.full_name, c.password_hash, c.confirmed_at, c.suspended_at, c.suspended_until, u.created_at, u.updated_at,
      ${toAccountFactorsSql(fragment`u.id`)} AS factors, ${toAccountIdentitiesSql(fragment`u.id`)} AS identities,
      EXISTS (SELECT FROM private.passkeys p WHERE p.user_id = u.id) AS has_passkeys
    FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ${id}`;
  return account;
};

/**
 * Locks an account until the transaction ends, so that no other transaction can confirm it, start a session of it or
 * change its second factors. Returns false when the account does not exist.
 */
export const lockAccount = async (tx: Queryable, userId: string): Promise<boolean> => {
  const { count } = await tx`SELECT FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
  return count > 0;
};

/** Inserts an account and returns its id, or undefined when the email address already has an account. */
export const insertAccount = async (
  sql: Queryable,
  account: { email: string; fullName: string | null; passwordHash: string; device: Buffer; now: Date },
): Promise<string | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    WITH person AS (
      INSERT INTO users (email, full_name, created_at, updated_at)
      VALUES (${account.email}, ${account.fullName}, ${account.now}, ${account.now})
      ON CONFLICT (email) DO NOTHING
      RETURNING id
    )
    INSERT INTO private.credentials (user_id, password_hash, signup_device, updated_at)
    SELECT id, ${account.passwordHash}, ${account.device}, ${account.now} FROM person
    RETURNING user_id`;
  return row?.user_id;
};

/**
 * Replaces the password, name and device of an unconfirmed sign-up. Returns false and changes
 * nothing when the account has been confirmed in the meantime.
 */
export const replaceUnconfirmedSignUp = async (
  sql: Queryable,
  change: { userId: string; fullName: string | null; passwordHash: string; device: Buffer; now: Date },
): Promise<boolean> => {
  const rows = await sql`
    WITH pending AS (
      UPDATE private.credentials SET
        password_hash = ${change.passwordHash}, signup_device = ${change.device}, updated_at = ${change.now}
      WHERE user_id = ${change.userId} AND confirmed_at IS NULL
      RETURNING user_id
    )
    UPDATE users SET full_name = ${change.fullName}, updated_at = ${change.now}
    FROM pending WHERE users.id = pending.user_id
    RETURNING users.id`;
  return rows.length > 0;
};

/**
 * Records a device as the sign-up device of an unconfirmed account: if the account is confirmed on
 * this device, it keeps its password. Does nothing if the password hash has changed in the
 * meantime.
 */
export const setSignupDevice = async (
  sql: Queryable,
  { userId, passwordHash, device }: { userId: string; passwordHash: string; device: Buffer },
): Promise<void> => {
  await sql`
    UPDATE private.credentials SET signup_device = ${device}
    WHERE user_id = ${userId} AND confirmed_at IS NULL AND password_hash = ${passwordHash}`;
};

/**
 * Marks the email address as confirmed; if it is a campus email address, the person becomes
 * verified. The password and the name are kept only if `device` is the sign-up device or
 * `provedHash` equals the stored password hash; otherwise the password is cleared and
 * `fallbackName` replaces the name. Changes nothing if the account is already confirmed.
 */
export const confirmAccount = async (
  sql: Queryable,
  account: {
    userId: string;
    campusAddress: boolean;
    device: Buffer | undefined;
    provedHash?: string | undefined;
    /**
     * Name to store for an account without a name, or null when the local part of the email address may be displayed
     * as the name.
     */
    fallbackName: string | null;
    now: Date;
  },
): Promise<void> => {
  await sql`
    WITH confirmed AS (
      UPDATE private.credentials SET confirmed_at = ${account.now}, updated_at = ${account.now}, signup_device = NULL,
        password_hash = CASE
          WHEN signup_device = ${account.device ?? null} OR password_hash = ${account.provedHash ?? null}
          THEN password_hash END
      WHERE user_id = ${account.userId} AND confirmed_at IS NULL
      RETURNING user_id, password_hash
    )
    UPDATE users SET usc_verified = ${account.campusAddress}, updated_at = ${account.now},
      full_name = coalesce(CASE WHEN confirmed.password_hash IS NOT NULL THEN full_name END, ${account.fallbackName})
    FROM confirmed WHERE users.id = confirmed.user_id`;
};

export const setPassword = async (
  sql: Queryable,
  change: { userId: string; passwordHash: string; now: Date },
): Promise<void> => {
  await sql`
    UPDATE private.credentials SET password_hash = ${change.passwordHash}, updated_at = ${change.now}
    WHERE user_id = ${change.userId}`;
};

export const setFullName = async (
  sql: Queryable,
  change: { userId: string; fullName: string; now: Date },
): Promise<void> => {
  await sql`
    UPDATE users SET full_name = ${change.fullName}, updated_at = ${change.now} WHERE id = ${change.userId}`;
};

/** Whether an account is suspended, since when, until when and by which moderation action. */
export interface CurrentSuspension {
  email: string;
  /** When the suspension began, or null while the account is active. */
  at: Date | null;
  /** When the suspension ends by itself, or null if only an administrator can lift it. */
  until: Date | null;
  /** Id of the moderator's action that set the suspension, or null if an administrator set it. */
  by: string | null;
}

/** Suspends an account, or lifts its suspension if `at` is null. Locks the account until the transaction ends. */
export const setSuspended = async (
  sql: Queryable,
  { userId, at, until, by }: { userId: string } & Omit<CurrentSuspension, 'email'>,
): Promise<void> => {
  await sql`
    UPDATE private.credentials SET suspended_at = ${at}, suspended_until = ${until}, suspended_by = ${by}
    WHERE user_id = ${userId}`;
};

/** Returns the suspension of an account, and locks the account until the transaction ends. */
export const findAndLockSuspension = async (
  tx: Queryable,
  userId: string,
): Promise<CurrentSuspension | undefined> => {
  const [row] = await tx<CurrentSuspension[]>`
    SELECT u.email, c.suspended_at AS at, c.suspended_until AS until, c.suspended_by AS by
    FROM private.credentials c JOIN users u ON u.id = c.user_id
    WHERE c.user_id = ${userId} FOR NO KEY UPDATE OF c`;
  return row;
};

/** Lists accounts whose suspension has ended and has not been lifted yet, longest overdue first. */
export const listEndedSuspensions = async (sql: Queryable, now: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.credentials
    WHERE suspended_until <= ${now} AND suspended_at IS NOT NULL ORDER BY suspended_until LIMIT ${limit}`;
  return rows.map((row) => row.user_id);
};

/**
 * Grants or removes the verified badge. Once an administrator has removed the badge, the person
 * cannot regain it by adding a campus email address.
 */
export const setVerifiedBadge = async (
  sql: Queryable,
  change: { userId: string; verified: boolean; now: Date },
): Promise<void> => {
  await sql`
    WITH decided AS (
      UPDATE private.credentials SET badge_removed_at = ${change.verified ? null : change.now}
      WHERE user_id = ${change.userId}
      RETURNING user_id
    )
    UPDATE users SET usc_verified = ${change.verified}, updated_at = ${change.now}
    FROM decided WHERE users.id = decided.user_id`;
};

export interface AccountSummary
  extends Pick<Tables['users'], 'id' | 'email' | 'full_name' | 'usc_verified' | 'created_at'>,
    Pick<Tables['credentials'], 'confirmed_at' | 'suspended_at' | 'suspended_until' | 'console_role'> {
  /** When the account was created, to the microsecond. The cursors of lists contain this time. */
  position: string;
  /**
   * The verified campus email address that the person added to an account with another log-in address, or null if
   * there is none.
   */
  campus_email: string | null;
  /** The first day without the membership of the campus, and since when it has ended. */
  membership_ends_on: Tables['memberships']['ends_on'];
  membership_ended_at: Tables['memberships']['ended_at'];
  has_second_factor: boolean;
  sessions: number;
  last_used_at: Date | null;
  published: number;
  hidden: number;
}

/**
 * Matches texts from which PostgreSQL can extract a trigram, so that the trigram index of people's names and addresses
 * narrows the search. For a shorter text the whole table is read, with a condition that is cheaper per row.
 */
const hasTrigrams = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u;

/**
 * Lists the account with this id or, if `id` is null, a page of the accounts whose log-in address, verified campus
 * address or name contains the lower-cased text (newest first), whatever accents and joints it is written with. Each search stops at the limit and has its own index,
 * so neither a common nor a rare text reads the whole table.
 */
export const listAccountSummaries = (
  sql: Queryable,
  wanted: { id: string | null; text: string; after?: ListPosition | undefined; limit: number },
): Promise<readonly AccountSummary[]> => {
  const { id, text, after, limit } = wanted;
  const like = toContainsPattern(text);
  const joined = removeJoints(foldText(text));
  const matches = hasTrigrams.test(joined)
    ? fragment`translate(private.fold(u.email || E'\n' || coalesce(u.full_name, '')), ' ''-', '')
        LIKE ${toContainsPattern(joined)}`
    : fragment`(u.email LIKE ${like} OR lower(u.full_name) LIKE ${like}
        OR (octet_length(u.full_name) > length(u.full_name)
          AND private.fold(u.full_name) LIKE ${toContainsPattern(foldText(text))}))`;
  const page = fragment`
    ${after ? fragment`AND (u.created_at, u.id) < (${after.time}::text::timestamptz, ${after.id}::uuid)` : fragment``}
    ORDER BY u.created_at DESC, u.id DESC LIMIT ${limit}`;
  const found =
    id === null
      ? fragment`
        (SELECT u.id FROM users u WHERE ${matches} ${page})
        UNION (SELECT u.id FROM private.campus_addresses a JOIN users u ON u.id = a.user_id
          WHERE a.verified_at IS NOT NULL AND a.email LIKE ${like} ${page})`
      : fragment`SELECT ${id}::uuid`;
  return sql<AccountSummary[]>`
    SELECT u.id, u.email, u.full_name, u.usc_verified, a.email AS campus_email, u.created_at,
      m.ends_on AS membership_ends_on, m.ended_at AS membership_ended_at,
      ${toCursorTimeSql(fragment`u.created_at`)} AS position,
      c.confirmed_at, c.suspended_at, c.suspended_until, c.console_role,
      EXISTS (SELECT FROM private.second_factors f
        WHERE f.user_id = u.id AND f.kind = 'totp' AND f.verified_at IS NOT NULL)
      OR EXISTS (SELECT FROM private.passkeys p WHERE p.user_id = u.id) AS has_second_factor,
      (SELECT count(*) FROM private.sessions s WHERE s.user_id = u.id) AS sessions,
      (SELECT max(last_used_at) FROM private.sessions s WHERE s.user_id = u.id) AS last_used_at,
      (SELECT count(*) FROM listings l WHERE l.user_id = u.id AND l.status = 'published') AS published,
      (SELECT count(*) FROM listings l WHERE l.user_id = u.id AND l.hidden_at IS NOT NULL AND l.deleted_at IS NULL) AS hidden
    FROM users u JOIN private.credentials c ON c.user_id = u.id
      LEFT JOIN private.campus_addresses a ON a.user_id = u.id AND a.verified_at IS NOT NULL
      LEFT JOIN private.memberships m ON m.user_id = u.id
    WHERE u.id IN (${found})
    ORDER BY u.created_at DESC, u.id DESC LIMIT ${limit}`;
};
