import { deletedUserName } from '#contract/deleted-user.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/** A range of messages in one conversation that one party has not read and received no email about. */
export interface WaitingRow {
  id: string;
  waiting_since: Date;
  from_seq: number;
  to_seq: number;
}

export interface RecipientRow {
  id: string;
  email: string;
  full_name: string | null;
  email_messages: boolean;
}

/** The still unread part of the messages in one conversation that an email is about. */
export interface UnreadDigestRow {
  id: string;
  listing_title: string;
  other_name: string;
  unread_count: number;
  /** The beginnings of the newest messages, oldest first. */
  beginnings: string[];
}

/**
 * Lists the ids of people for whom a message has waited since `before`, and who have neither read nor written a message
 * since then.
 */
export const listOverdueRecipients = async (sql: Queryable, before: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT u.id FROM users u
    WHERE u.id IN (
        SELECT buyer_id FROM conversations WHERE buyer_id IS NOT NULL AND buyer_waiting_since <= ${before}
        UNION
        SELECT seller_id FROM conversations WHERE seller_id IS NOT NULL AND seller_waiting_since <= ${before})
      AND NOT EXISTS (SELECT FROM conversations WHERE buyer_id = u.id AND buyer_seen_at > ${before})
      AND NOT EXISTS (SELECT FROM conversations WHERE seller_id = u.id AND seller_seen_at > ${before})`;
  return rows.map(({ id }) => id);
};

/**
 * Locks all conversations with messages that wait for a person until the transaction ends; a concurrent second call
 * finds nothing. Their order prevents deadlocks between two people who share several conversations. In any other
 * deadlock (such as with an account being deleted), the lock timeout makes this side fail before PostgreSQL chooses a
 * victim.
 */
export const lockWaitingConversations = async (tx: Queryable, userId: string): Promise<WaitingRow[]> => {
  await tx`SET LOCAL lock_timeout = '500ms'`;
  return tx<WaitingRow[]>`
    SELECT id, last_seq AS to_seq,
      CASE WHEN buyer_id = ${userId} THEN buyer_waiting_since ELSE seller_waiting_since END AS waiting_since,
      CASE WHEN buyer_id = ${userId} THEN buyer_waiting_from ELSE seller_waiting_from END AS from_seq
    FROM conversations
    WHERE (buyer_id = ${userId} AND buyer_waiting_since IS NOT NULL)
      OR (seller_id = ${userId} AND seller_waiting_since IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE`;
};

/** Marks the messages in these conversations as no longer waiting for the person. */
export const endWaiting = async (
  tx: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<void> => {
  await tx`
    UPDATE conversations SET
      buyer_waiting_since = CASE WHEN buyer_id = ${userId} THEN NULL ELSE buyer_waiting_since END,
      seller_waiting_since = CASE WHEN seller_id = ${userId} THEN NULL ELSE seller_waiting_since END
    WHERE id = ANY (${[...ids]}::uuid[])`;
};

export const findRecipient = async (sql: Queryable, userId: string): Promise<RecipientRow | undefined> => {
  const [row] = await sql<RecipientRow[]>`
    SELECT id, email, full_name, email_messages FROM users WHERE id = ${userId}`;
  return row;
};

/** Finds the id of a conversation's seller, if this is still their email address and they have not unsubscribed. */
export const findWillingSeller = async (
  sql: Queryable,
  { conversationId, email }: { conversationId: string; email: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    SELECT s.id FROM conversations c JOIN users s ON s.id = c.seller_id
    WHERE c.id = ${conversationId} AND s.email = ${email} AND s.email_messages`;
  return row?.id;
};

/** Lists which of these messages are unread now, by conversation, the most recently active first. */
export const listUnreadDigest = async (
  sql: Queryable,
  {
    userId,
    waiting,
    newest,
  }: { userId: string; waiting: readonly Omit<WaitingRow, 'waiting_since'>[]; newest: number },
): Promise<UnreadDigestRow[]> => sql<UnreadDigestRow[]>`
  WITH told AS (
    SELECT c.id, c.updated_at, coalesce(l.title, c.listing_title) AS listing_title,
      coalesce(o.display_name, ${deletedUserName}) AS other_name, w.to_seq,
      greatest(w.from_seq, 1 + CASE WHEN c.buyer_id = ${userId} THEN c.buyer_read_seq ELSE c.seller_read_seq END)
        AS from_seq
    FROM unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map((it) => it.from_seq)}::bigint[],
      ${waiting.map((it) => it.to_seq)}::bigint[]) AS w (id, from_seq, to_seq)
    JOIN conversations c ON c.id = w.id AND (c.buyer_id = ${userId} OR c.seller_id = ${userId})
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
    LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
  )
  SELECT id, listing_title, other_name, to_seq - from_seq + 1 AS unread_count,
    ARRAY(
      SELECT left(message_text, 300) FROM (
        SELECT seq, message_text FROM messages
        WHERE conversation_id = told.id AND seq BETWEEN told.from_seq AND told.to_seq
        ORDER BY seq DESC LIMIT ${newest}
      ) AS shown ORDER BY seq
    ) AS beginnings
  FROM told WHERE from_seq <= to_seq
  ORDER BY updated_at DESC, id`;

/** Marks all messages as no longer waiting. */
export const endAllWaiting = async (sql: Queryable): Promise<void> => {
  await sql`
    UPDATE conversations SET buyer_waiting_since = NULL, buyer_waiting_from = NULL,
      seller_waiting_since = NULL, seller_waiting_from = NULL
    WHERE buyer_waiting_since IS NOT NULL OR seller_waiting_since IS NOT NULL`;
};
