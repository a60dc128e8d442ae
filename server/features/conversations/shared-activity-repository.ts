import { toMayContactSql } from '#server/features/blocks/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { ConversationPartyIds } from './message-repository.ts';
import { conversationSides } from './sql.ts';

/**
 * Returns the SQL condition that the parties of a row of `conversationSides`, given its alias, share what the column of
 * `users` says: both have switched it on, neither is suspended, and neither has blocked the other.
 */
export const toSharedSql = (column: 'show_seen' | 'show_typing', side: string): Fragment =>
  trustedSql(`((SELECT count(*) FROM users WHERE id IN (${side}.user_id, ${side}.other_id) AND ${column}) = 2
    AND ${toMayContactSql(`${side}.user_id`, `${side}.other_id`)})`);

/** Returns up to which seq the other party has read, or undefined when the parties do not share that. */
export const findSharedSeenSeq = async (
  sql: Queryable,
  { id, userId }: ConversationPartyIds,
): Promise<number | undefined> => {
  const [row] = await sql<{ other_read_seq: number }[]>`
    SELECT other_read_seq FROM ${conversationSides} AS side
    WHERE id = ${id} AND user_id = ${userId} AND is_visible AND ${toSharedSql('show_seen', 'side')}`;
  return row?.other_read_seq;
};

/** Returns whether the other party of a conversation sees that this person is typing. */
export const isTypingShared = async (
  sql: Queryable,
  { id, userId }: ConversationPartyIds,
): Promise<boolean> => {
  const { count } = await sql`
    SELECT FROM ${conversationSides} AS side
    WHERE id = ${id} AND user_id = ${userId} AND last_seq > 0 AND ${toSharedSql('show_typing', 'side')}`;
  return count > 0;
};
