import type { ConsoleRole } from '#contract/console.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Returns the console role of a session's account, and whether the second-factor check was passed in the session.
 * Returns undefined when the session has ended or the account is suspended.
 */
export const findConsoleAccess = async (
  sql: Queryable,
  sessionId: string,
): Promise<{ role: ConsoleRole | null; hasSecondFactor: boolean } | undefined> => {
  const [row] = await sql<{ role: ConsoleRole | null; has_second_factor: boolean }[]>`
    SELECT c.console_role AS role, s.second_factor_at IS NOT NULL AS has_second_factor
    FROM private.sessions s JOIN private.credentials c ON c.user_id = s.user_id
    WHERE s.id = ${sessionId} AND c.suspended_at IS NULL`;
  return row && { role: row.role, hasSecondFactor: row.has_second_factor };
};

export const hasConsoleRole = async (sql: Queryable, userId: string): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM private.credentials WHERE user_id = ${userId} AND console_role IS NOT NULL`;
  return count > 0;
};

/** The SQL condition for an administrator who can log in and therefore can grant roles. */
const isActiveAdministrator = fragment`console_role = 'administrator' AND suspended_at IS NULL AND confirmed_at IS NOT NULL`;

/** Locks an account until the transaction ends, and returns whether it is an administrator who can log in. */
export const lockActiveAdministrator = async (tx: Queryable, userId: string): Promise<boolean> => {
  const [row] = await tx<{ is_administrator: boolean | null }[]>`
    SELECT ${isActiveAdministrator} AS is_administrator
    FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
  return row?.is_administrator ?? false;
};

/**
 * Takes an advisory lock until the transaction ends, so that transactions that may remove an administrator run one at
 * a time. Locking the administrators' rows instead would conflict with the order in which account deletion locks rows.
 */
export const lockAdministratorChanges = async (tx: Queryable): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('administrators', 0))`;
};

/** Returns whether there is an administrator, other than this account, who can log in. */
export const hasOtherAdministrator = async (tx: Queryable, userId: string): Promise<boolean> => {
  const { count } = await tx`
    SELECT FROM private.credentials WHERE ${isActiveAdministrator} AND user_id <> ${userId} LIMIT 1`;
  return count > 0;
};

/** Sets the console role of an account. Returns false when the account has this role already. */
export const setConsoleRole = async (
  sql: Queryable,
  userId: string,
  role: ConsoleRole | null,
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE private.credentials SET console_role = ${role}
    WHERE user_id = ${userId} AND console_role IS DISTINCT FROM ${role}`;
  return count > 0;
};
