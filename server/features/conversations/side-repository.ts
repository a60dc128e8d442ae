import type { ConversationChange } from '#contract/inbox.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { ConversationPartyIds } from './message-repository.ts';
import { setForParty, whereEitherParty } from './sql.ts';

/**
 * Changes a conversation for one of its parties: archives it until the next message, mutes it, or marks it as read or
 * unread. Returns whether the person is a party.
 */
export const updateSide = async (
  sql: Queryable,
  {
    id,
    userId,
    change: { archived, muted_until: mutedUntil, unread },
    now,
  }: ConversationPartyIds & { change: ConversationChange; now: Date },
): Promise<boolean> => {
  const read = { read_seq: fragment`last_seq`, seen_at: now, waiting_since: null };
  const { count } = await sql`
    UPDATE conversations SET
      ${setForParty(userId, ({ archived_seq, muted_until, marked_unread }) => ({
        archived_seq: archived === undefined ? archived_seq : archived ? fragment`last_seq` : null,
        muted_until: mutedUntil === undefined ? muted_until : mutedUntil,
        marked_unread: unread ?? marked_unread,
        ...(unread === false ? read : {}),
      }))}
    WHERE id = ${id} AND ${whereEitherParty(({ id: party }) => fragment`${party} = ${userId}`)}`;
  return count > 0;
};
