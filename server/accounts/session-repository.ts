import type { Queryable } from '#server/platform/postgres/database.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  method: string;
  created_at: Date;
  last_used_at: Date;
}

/**
 * Inserts a session and returns its id; undefined when the account is suspended or deleted. The account's row is
 * locked, so a concurrent suspension either comes first and prevents the session, or comes later and ends it.
 */
export const insertSession = async (
  sql: Queryable,
  session: { userId: string; method: string; tokenHash: Buffer; salt: Buffer; now: Date },
): Promise<string | undefined> => {
  const rows = await sql<{ session_id: string }[]>`
    WITH account AS (
      SELECT user_id FROM private.credentials
      WHERE user_id = ${session.userId} AND suspended_at IS NULL FOR SHARE
    ), session AS (
      INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
      SELECT user_id, ${session.method}, ${session.now}, ${session.now} FROM account
      RETURNING id
    )
    INSERT INTO private.refresh_tokens (token_hash, session_id, successor_salt, created_at)
    SELECT ${session.tokenHash}, id, ${session.salt}, ${session.now} FROM session
    RETURNING session_id`;
  return rows[0]?.session_id;
};

export const findSession = async (sql: Queryable, id: string): Promise<SessionRow | undefined> => {
  const [session] = await sql<SessionRow[]>`
    SELECT id, user_id, method, created_at, last_used_at FROM private.sessions WHERE id = ${id}`;
  return session;
};

/** Returns those of the given session ids whose sessions no longer exist. */
export const listEndedSessions = async (sql: Queryable, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM unnest(${[...ids]}::uuid[]) AS named (id)
    WHERE NOT EXISTS (SELECT FROM private.sessions WHERE sessions.id = named.id)`;
  return rows.map(({ id }) => id);
};

export interface LockedRefreshToken {
  session_id: string;
  successor_salt: Buffer;
  replaced_at: Date | null;
  user_id: string;
  method: string;
  last_used_at: Date;
}

/**
 * Finds a refresh token and its session and locks both until the transaction ends. The session is locked first, in the
 * same order as when a session is ended, to avoid deadlocks.
 */
export const lockRefreshToken = async (
  sql: Queryable,
  tokenHash: Buffer,
): Promise<LockedRefreshToken | undefined> => {
  const [token] = await sql<LockedRefreshToken[]>`
    SELECT t.session_id, t.successor_salt, t.replaced_at, s.user_id, s.method, s.last_used_at
    FROM private.refresh_tokens t JOIN private.sessions s ON s.id = t.session_id
    WHERE t.token_hash = ${tokenHash}
    FOR UPDATE OF s FOR UPDATE OF t`;
  return token;
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

export const deleteSession = async (sql: Queryable, id: string): Promise<void> => {
  await sql`DELETE FROM private.sessions WHERE id = ${id}`;
};

/** Deletes a person's sessions, except the one with the id `except`, and returns the deleted ids. */
export const deleteUserSessions = async (
  sql: Queryable,
  userId: string,
  except: string | null = null,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    DELETE FROM private.sessions
    WHERE user_id = ${userId} AND (${except}::uuid IS NULL OR id <> ${except}::uuid)
    RETURNING id`;
  return rows.map(({ id }) => id);
};
