/** Returns the SQL condition that one person has blocked another one. The arguments are SQL expressions of their ids. */
export const toBlockedSql = (userId: string, blockedId: string): string =>
  `EXISTS (SELECT FROM blocks WHERE user_id = ${userId} AND blocked_id = ${blockedId})`;

/**
 * Returns the SQL condition that two people may contact each other: neither is suspended, and neither has blocked the
 * other. Callers must treat both reasons alike, so that nobody learns of a block.
 */
export const toMayContactSql = (one: string, other: string): string => `NOT EXISTS (
    SELECT FROM blocks WHERE (user_id, blocked_id) IN ((${one}, ${other}), (${other}, ${one})))
  AND NOT EXISTS (
    SELECT FROM private.credentials WHERE user_id IN (${one}, ${other}) AND suspended_at IS NOT NULL)`;
