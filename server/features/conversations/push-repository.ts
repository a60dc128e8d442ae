import { deletedUserName } from '#contract/deleted-user.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { toMutedSql } from './contact-sql.ts';
import { conversationSides, toMutedAtSql } from './sql.ts';

export interface UnreadForPush {
  listing_title: string;
  other_name: string;
  /** The newest of the unread messages. */
  text: string;
  unread_count: number;
}

/** Unread messages of a conversation are counted up to this number. */
const maxCounted = 100;

const blockedSql = trustedSql(toMutedSql({ id: 'c.id', one: 'c.user_id', other: 'c.other_id' }));

/**
 * Returns the name of the other party, if a party has read up to fewer messages than there are. Returns undefined when the
 * party blocked the other one, or when it muted the messages.
 */
export const findNameOfUnreadAuthor = async (
  sql: Queryable,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<string | undefined> => {
  const [row] = await sql<{ name: string }[]>`
    SELECT coalesce(o.display_name, ${deletedUserName}) AS name
    FROM ${conversationSides} AS c LEFT JOIN users o ON o.id = c.other_id
    WHERE c.id = ${id} AND c.user_id = ${userId} AND c.read_seq < c.last_seq AND NOT ${toMutedAtSql('c', now)}
      AND NOT ${blockedSql}`;
  return row?.name;
};

/**
 * Finds what a party has not read in a conversation: the messages of the other party, or the transitions of deals. Returns
 * undefined when nothing is unread, when the party blocked the other one, or when it muted the messages.
 */
export const findUnreadForPush = async (
  sql: Queryable,
  { id, userId, about, now }: { id: string; userId: string; about: 'messages' | 'deals'; now: Date },
): Promise<UnreadForPush | undefined> => {
  const [row] = await sql<UnreadForPush[]>`
    SELECT coalesce(l.title, c.listing_title) AS listing_title, coalesce(o.display_name, ${deletedUserName}) AS other_name,
      newest.message_text AS text, newest.unread_count
    FROM ${conversationSides} AS c
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status IN ('published', 'sold')
    LEFT JOIN users o ON o.id = c.other_id
    CROSS JOIN LATERAL (
      SELECT message_text, count(*) OVER ()::int AS unread_count FROM (
        SELECT seq, message_text FROM messages m
        WHERE m.conversation_id = c.id AND (m.kind = 'text') = ${about === 'messages'} AND m.unsent_number IS NULL
          AND m.seq > c.read_seq AND m.sender_id IS DISTINCT FROM ${userId}
        ORDER BY seq DESC LIMIT ${maxCounted}
      ) AS unread ORDER BY seq DESC LIMIT 1
    ) AS newest
    WHERE c.id = ${id} AND c.user_id = ${userId}
      AND NOT ${blockedSql}
      ${about === 'messages' ? fragment`AND NOT ${toMutedAtSql('c', now)}` : fragment``}`;
  return row;
};
