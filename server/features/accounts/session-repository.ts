import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface SessionRow
  extends Pick<
    Tables['sessions'],
    'id' | 'user_id' | 'method' | 'created_at' | 'last_used_at' | 'second_factor_at' | 'second_factor_method'
  > {
  /** Whether the account needs its second factor at every log-in. */
  is_enrolled: boolean;
}

// The columns of a `SessionRow`, for a query of private.sessions with the alias `s`.
const sessionColumns = fragment`
  s.id, s.user_id, s.method, s.created_at, s.last_used_at, s.second_factor_at, s.second_factor_method,
  EXISTS (SELECT FROM private.second_factors f
    WHERE f.user_id = s.user_id AND f.kind = 'totp' AND f.verified_at IS NOT NULL) AS is_enrolled`;

/**
 * Inserts a session and returns its id, or undefined when the account is suspended or deleted. The account's row is
 * locked, so a concurrent suspension either comes first and prevents the session, or comes later and ends it.
 */
export const insertSession = async (
  sql: Queryable,
  session: {
    userId: string;
    method: string;
    deviceName: string;
    tokenHash: Buffer;
    salt: Buffer;
    now: Date;
    /** Method of the second factor that the log-in has proved already, if any. */
    secondFactorMethod: string | null;
    /** When the person entered their credentials elsewhere, if this is known. */
    authenticatedAt: Date | null;
  },
): Promise<string | undefined> => {
  const rows = await sql<{ session_id: string }[]>`
    WITH account AS (
      SELECT user_id FROM private.credentials
      WHERE user_id = ${session.userId} AND suspended_at IS NULL FOR SHARE
    ), session AS (
      INSERT INTO private.sessions
        (user_id, method, device_name, created_at, last_used_at, second_factor_at, second_factor_method, reauthenticated_at)
      SELECT user_id, ${session.method}, ${session.deviceName}, ${session.now}, ${session.now},
        CASE WHEN ${session.secondFactorMethod}::text IS NOT NULL THEN ${session.now}::timestamptz END,
        ${session.secondFactorMethod}, ${session.authenticatedAt}::timestamptz
      FROM account
      RETURNING id
    )
    INSERT INTO private.refresh_tokens (token_hash, session_id, successor_salt, created_at)
    SELECT ${session.tokenHash}, id, ${session.salt}, ${session.now} FROM session
    RETURNING session_id`;
  return rows[0]?.session_id;
};

export const findSession = async (sql: Queryable, id: string): Promise<SessionRow | undefined> => {
  const [session] = await sql<SessionRow[]>`
    SELECT ${sessionColumns} FROM private.sessions s WHERE s.id = ${id}`;
  return session;
};

/**
 * Replaces all refresh tokens of a session with a new one. Returns the session, or undefined when it has ended.
 */
export const replaceRefreshTokens = async (
  tx: Queryable,
  { sessionId, tokenHash, salt, now }: { sessionId: string; tokenHash: Buffer; salt: Buffer; now: Date },
): Promise<SessionRow | undefined> => {
  const session = await findSession(tx, sessionId);
  if (!session) return undefined;
  await tx`DELETE FROM private.refresh_tokens WHERE session_id = ${sessionId}`;
  await tx`
    INSERT INTO private.refresh_tokens (token_hash, session_id, successor_salt, created_at)
    VALUES (${tokenHash}, ${sessionId}, ${salt}, ${now})`;
  return session;
};

/**
 * Records that the second-factor check was passed in a session, and replaces its refresh tokens with a new one.
 * Returns the session, or undefined when it has ended.
 */
export const recordSecondFactorCheck = async (
  tx: Queryable,
  proof: { sessionId: string; method: string; tokenHash: Buffer; salt: Buffer; now: Date },
): Promise<SessionRow | undefined> => {
  const { sessionId, now } = proof;
  const { count } = await tx`
    UPDATE private.sessions SET second_factor_at = ${now}, second_factor_method = ${proof.method}, last_used_at = ${now}
    WHERE id = ${sessionId}`;
  return count === 0 ? undefined : replaceRefreshTokens(tx, proof);
};

/**
 * Deletes the sessions of a person with an authenticator app that have not passed the second-factor check. Returns their ids.
 */
export const deleteWaitingSessions = async (tx: Queryable, userId: string): Promise<string[]> => {
  const ended = await tx<{ id: string }[]>`
    DELETE FROM private.sessions WHERE user_id = ${userId} AND second_factor_at IS NULL RETURNING id`;
  return ended.map(({ id }) => id);
};

/** Marks the second-factor check as not passed in all sessions of a person. */
export const resetSecondFactorChecks = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`
    UPDATE private.sessions SET second_factor_at = NULL, second_factor_method = NULL WHERE user_id = ${userId}`;
};

/**
 * Returns when the person last logged in or entered their password or a code in this session, or undefined when the
 * session has ended. A log-in by `untrustedMethod` does not count, and the result is null if there was nothing else.
 */
export const findLastAuthentication = async (
  sql: Queryable,
  id: string,
  untrustedMethod: string,
): Promise<Date | null | undefined> => {
  const [session] = await sql<{ at: Date | null }[]>`
    SELECT greatest(CASE WHEN method IS DISTINCT FROM ${untrustedMethod} THEN created_at END, reauthenticated_at) AS at
    FROM private.sessions WHERE id = ${id}`;
  return session?.at;
};

/**
 * Returns whether somebody with a role in the console has passkeys but did not use one for this session, nor another second
 * factor.
 */
export const lacksConsoleFactor = async (sql: Queryable, id: string): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM private.sessions s JOIN private.credentials c ON c.user_id = s.user_id
    WHERE s.id = ${id} AND s.second_factor_at IS NULL AND c.console_role IS NOT NULL
      AND EXISTS (SELECT FROM private.passkeys p WHERE p.user_id = s.user_id)`;
  return count > 0;
};

/** Records that the owner of a session has proved their identity at a time. A later proof stays. */
export const setReauthenticated = async (sql: Queryable, id: string, at: Date): Promise<void> => {
  await sql`
    UPDATE private.sessions SET reauthenticated_at = greatest(reauthenticated_at, ${at}) WHERE id = ${id}`;
};

/** Lists up to `limit` sessions of a person, most recently used first. */
export const listRecentSessions = (
  sql: Queryable,
  userId: string,
  limit: number,
): Promise<(Pick<SessionRow, 'id' | 'created_at' | 'last_used_at'> & { device_name: string | null })[]> =>
  sql<(Pick<SessionRow, 'id' | 'created_at' | 'last_used_at'> & { device_name: string | null })[]>`
    SELECT id, device_name, created_at, last_used_at FROM private.sessions
    WHERE user_id = ${userId} ORDER BY last_used_at DESC, id LIMIT ${limit}`;

/** Returns those of the given session ids whose sessions no longer exist. */
export const listEndedSessions = async (sql: Queryable, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM unnest(${[...ids]}::uuid[]) AS named (id)
    WHERE NOT EXISTS (SELECT FROM private.sessions WHERE sessions.id = named.id)`;
  return rows.map(({ id }) => id);
};

export interface LockedRefreshToken {
  successor_salt: Buffer;
  replaced_at: Date | null;
  session: SessionRow;
}

/**
 * Finds a refresh token and its session and locks both until the transaction ends. The session is locked first, in the
 * same order as when a session is ended, to avoid deadlocks.
 */
export const lockRefreshToken = async (
  sql: Queryable,
  tokenHash: Buffer,
): Promise<LockedRefreshToken | undefined> => {
  const [row] = await sql<(SessionRow & Omit<LockedRefreshToken, 'session'>)[]>`
    SELECT t.successor_salt, t.replaced_at, ${sessionColumns}
    FROM private.refresh_tokens t JOIN private.sessions s ON s.id = t.session_id
    WHERE t.token_hash = ${tokenHash}
    FOR UPDATE OF s FOR UPDATE OF t`;
  if (!row) return undefined;
  const { successor_salt, replaced_at, ...session } = row;
  return { successor_salt, replaced_at, session };
};

/** Returns the owner of a refresh token, even of a replaced one. */
export const findRefreshTokenOwner = async (
  sql: Queryable,
  tokenHash: Buffer,
): Promise<string | undefined> => {
  const [token] = await sql<{ user_id: string }[]>`
    SELECT s.user_id FROM private.refresh_tokens t JOIN private.sessions s ON s.id = t.session_id
    WHERE t.token_hash = ${tokenHash}`;
  return token?.user_id;
};

export const rotateRefreshToken = async (
  sql: Queryable,
  rotation: { sessionId: string; oldHash: Buffer; newHash: Buffer; salt: Buffer; now: Date },
): Promise<void> => {
  await sql`
    WITH replaced AS (
      UPDATE private.refresh_tokens SET replaced_at = ${rotation.now} WHERE token_hash = ${rotation.oldHash}
    ), used AS (
      UPDATE private.sessions SET last_used_at = ${rotation.now} WHERE id = ${rotation.sessionId}
    )
    INSERT INTO private.refresh_tokens (token_hash, session_id, successor_salt, created_at)
    VALUES (${rotation.newHash}, ${rotation.sessionId}, ${rotation.salt}, ${rotation.now})`;
};

export interface ListedSession
  extends Pick<Tables['sessions'], 'id' | 'device_name' | 'created_at' | 'last_used_at'> {
  awaits_second_factor: boolean;
}

/**
 * Lists the sessions that a person has used after `usedAfter`: first the one with the id `first`, then the others,
 * most recently used first.
 */
export const listSessions = (
  sql: Queryable,
  wanted: { userId: string; first: string; usedAfter: Date; limit: number },
): Promise<ListedSession[]> => sql<ListedSession[]>`
  SELECT s.id, s.device_name, s.created_at, s.last_used_at,
    s.second_factor_at IS NULL AND EXISTS (SELECT FROM private.second_factors f
      WHERE f.user_id = s.user_id AND f.kind = 'totp' AND f.verified_at IS NOT NULL) AS awaits_second_factor
  FROM private.sessions s WHERE s.user_id = ${wanted.userId} AND s.last_used_at > ${wanted.usedAfter}
  ORDER BY s.id = ${wanted.first} DESC, s.last_used_at DESC, s.id LIMIT ${wanted.limit}`;

/** Deletes one session of a person. Returns false when it does not exist. */
export const deleteOwnSession = async (
  sql: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> => {
  const { count } = await sql`DELETE FROM private.sessions WHERE id = ${id} AND user_id = ${userId}`;
  return count > 0;
};

export const deleteSession = async (sql: Queryable, id: string): Promise<void> => {
  await sql`DELETE FROM private.sessions WHERE id = ${id}`;
};

const deleteSessions = async (sql: Queryable, userId: string, except: string | null): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    DELETE FROM private.sessions
    WHERE user_id = ${userId} AND (${except}::uuid IS NULL OR id <> ${except}::uuid)
    RETURNING id`;
  return rows.map(({ id }) => id);
};

/**
 * Deletes a person's sessions, except the one with the id `except`, and returns the deleted ids. Also deletes the auth
 * passwords of log-ins that have not started a session yet. These are deleted first, so that a session that a
 * concurrent exchange starts is already visible to the second statement.
 */
export const deleteUserSessions = async (
  sql: Queryable,
  userId: string,
  except: string | null = null,
): Promise<string[]> => {
  await sql`DELETE FROM private.auth_passwords WHERE user_id = ${userId}`;
  return deleteSessions(sql, userId, except);
};

/**
 * Deletes the sessions of a suspended person, and returns the deleted ids. Auth passwords stay: they start no session
 * during the suspension, and their exchange names it as the reason.
 */
export const deleteSuspendedUserSessions = (sql: Queryable, userId: string): Promise<string[]> =>
  deleteSessions(sql, userId, null);

/** Ends all sessions of all people, with their refresh tokens. */
export const deleteAllSessions = async (tx: Queryable): Promise<void> => {
  await tx`DELETE FROM private.sessions`;
};
