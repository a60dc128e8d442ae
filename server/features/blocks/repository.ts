import type { PublicUser } from '#contract/profiles.ts';
import { toKnownPersonSql } from '#server/features/accounts/sql.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';

export interface BlockRow extends PublicUser {
  created_at: Date;
  /** The time of the block in microseconds, as text, for the cursor of the list. */
  position: string;
}

/** Lists the people whom a person blocked, latest first. */
export const listBlocks = (
  sql: Queryable,
  { userId, after, limit }: { userId: string; after: ListPosition | undefined; limit: number },
): Promise<BlockRow[]> => sql<BlockRow[]>`
  SELECT u.id, u.display_name AS name, u.avatar_url, u.usc_verified, b.created_at,
    ${toCursorTimeSql(fragment`b.created_at`)} AS position
  FROM blocks b JOIN users u ON u.id = b.blocked_id
  WHERE b.user_id = ${userId} AND (${after === undefined}
    OR (b.created_at, b.blocked_id) < (${after?.time ?? null}::text::timestamptz, ${after?.id ?? null}::uuid))
  ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT ${limit}`;

export const listBlockedIds = async (sql: Queryable, userId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT blocked_id AS id FROM blocks WHERE user_id = ${userId} ORDER BY created_at DESC, blocked_id DESC`;
  return rows.map(({ id }) => id);
};

/** Returns whether the viewer can tell that an account exists, and prevents its deletion until the transaction ends. */
export const lockKnownAccount = async (tx: Queryable, userId: string, viewerId: string): Promise<boolean> => {
  const { count } = await tx`
    SELECT FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ${userId} AND ${toKnownPersonSql(fragment`c`, viewerId)} FOR KEY SHARE OF u`;
  return count > 0;
};

/**
 * Blocks a person unless the number of blocks has reached `limit`. Returns whether the person is blocked afterwards.
 */
export const insertBlock = async (
  tx: Queryable,
  { userId, blockedId, limit, now }: { userId: string; blockedId: string; limit: number; now: Date },
): Promise<boolean> => {
  const [row] = await tx<{ is_blocked: boolean }[]>`
    WITH added AS (
      INSERT INTO blocks (user_id, blocked_id, created_at)
      SELECT ${userId}, ${blockedId}, ${now}
      WHERE (SELECT count(*) FROM blocks WHERE user_id = ${userId}) < ${limit}
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT EXISTS (SELECT FROM added)
      OR EXISTS (SELECT FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId}) AS is_blocked`;
  return row?.is_blocked ?? false;
};

/** Unblocks a person. Does nothing when they are not blocked. */
export const deleteBlock = async (sql: Queryable, userId: string, blockedId: string): Promise<void> => {
  await sql`DELETE FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId}`;
};
