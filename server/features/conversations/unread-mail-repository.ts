import { deletedUserName } from '#contract/deleted-user.ts';
import {
  type CampusInstant,
  mayQuoteMessagesCondition,
  toChosenQuietHoursCondition,
  toQuietHoursCondition,
} from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { toMutedSql } from './contact-sql.ts';

/**
 * The range of messages in one conversation that a party has neither read nor been emailed about
 * ("waiting" messages).
 */
export interface WaitingMessagesRow {
  id: string;
  waiting_since: Date;
  from_seq: number;
  to_seq: number;
}

export interface UnreadMailRecipientRow {
  /** Whether emails to the person must wait now: in their quiet hours, and while they are suspended. */
  must_wait: boolean;
  /** Whether emails to the person quote messages. */
  wants_quotes: boolean;
  id: string;
  email: string;
  full_name: string | null;
  email_messages: boolean;
}

/** One conversation in an email about unread messages, with the messages that are still unread. */
export interface UnreadDigestRow {
  id: string;
  listing_title: string;
  other_name: string;
  unread_count: number;
  /** Whether the other party wrote one of the messages. The others are event lines, which the server writes. */
  has_text: boolean;
  /** The beginnings of the newest messages, oldest first. */
  beginnings: string[];
}

/**
 * Lists the ids of people who have had an unread message since `before` without an email about it, who have neither
 * read nor written a message since then, and who are neither in their quiet hours nor suspended.
 */
export const listOverdueRecipients = async (
  sql: Queryable,
  before: Date,
  moment: CampusInstant,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
  SELECT u.id FROM users u JOIN private.credentials k ON k.user_id = u.id AND k.suspended_at IS NULL
    LEFT JOIN notification_settings s ON s.user_id = u.id
  WHERE NOT ${toQuietHoursCondition(moment)} AND u.id IN (
      SELECT buyer_id FROM conversations WHERE buyer_id IS NOT NULL AND buyer_waiting_since <= ${before}
      UNION
      SELECT seller_id FROM conversations WHERE seller_id IS NOT NULL AND seller_waiting_since <= ${before})
    AND NOT EXISTS (SELECT FROM conversations WHERE buyer_id = u.id AND buyer_seen_at > ${before})
    AND NOT EXISTS (SELECT FROM conversations WHERE seller_id = u.id AND seller_seen_at > ${before})`;
  return rows.map(({ id }) => id);
};

/**
 * Locks, until the transaction ends, all conversations in which a person has waiting messages, so
 * that a concurrent second call finds none. Locking them in order of id prevents deadlocks between
 * two people who share several conversations. In any other deadlock (such as with an account
 * deletion), the lock timeout makes this transaction fail before PostgreSQL chooses a victim.
 */
export const lockWaitingConversations = async (
  tx: Queryable,
  userId: string,
): Promise<WaitingMessagesRow[]> => {
  await tx`SET LOCAL lock_timeout = '500ms'`;
  return tx<WaitingMessagesRow[]>`
    SELECT id, last_seq AS to_seq,
      CASE WHEN buyer_id = ${userId} THEN buyer_waiting_since ELSE seller_waiting_since END AS waiting_since,
      CASE WHEN buyer_id = ${userId} THEN buyer_waiting_from ELSE seller_waiting_from END AS from_seq
    FROM conversations
    WHERE (buyer_id = ${userId} AND buyer_waiting_since IS NOT NULL)
      OR (seller_id = ${userId} AND seller_waiting_since IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE`;
};

/**
 * Cancels the emails that the person would get about unread messages in these conversations.
 */
export const cancelDueUnreadMail = async (
  tx: Queryable,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<void> => {
  await tx`
    UPDATE conversations SET
      buyer_waiting_since = CASE WHEN buyer_id = ${userId} THEN NULL ELSE buyer_waiting_since END,
      seller_waiting_since = CASE WHEN seller_id = ${userId} THEN NULL ELSE seller_waiting_since END
    WHERE id = ANY (${[...ids]}::uuid[])`;
};

/**
 * Returns the SQL assignments that mark messages to one party as waiting for an email again. The message from which
 * they wait is the earlier one, if others already wait.
 */
const toPostponementSql = (party: 'buyer' | 'seller'): string => `
  ${party}_waiting_since = CASE WHEN c.${party}_id = given.user_id AND c.${party}_read_seq < c.last_seq
    THEN coalesce(c.${party}_waiting_since, given.now) ELSE c.${party}_waiting_since END,
  ${party}_waiting_from = CASE WHEN c.${party}_id = given.user_id
    THEN least(CASE WHEN c.${party}_waiting_since IS NOT NULL THEN c.${party}_waiting_from END, w.from_seq)
    ELSE c.${party}_waiting_from END`;
const postponementSql = `${toPostponementSql('buyer')}, ${toPostponementSql('seller')}`;

/** Records that messages wait for an email again: in each conversation, the unread ones from the given message on. */
export const postponeUnreadMail = async (
  sql: Queryable,
  {
    userId,
    ids,
    fromSeqs,
    now,
  }: { userId: string; ids: readonly string[]; fromSeqs: readonly number[]; now: Date },
): Promise<void> => {
  await sql`
    UPDATE conversations c SET ${trustedSql(postponementSql)}
    FROM unnest(${[...ids]}::uuid[], ${[...fromSeqs]}::bigint[]) AS w (id, from_seq),
      (SELECT ${userId}::uuid AS user_id, ${now}::timestamptz AS now) AS given
    WHERE c.id = w.id`;
};

/** Returns the SQL of `must_wait`, except about a first message. `s` is the person's settings row, with nulls if there is none, and `k` the credentials. */
const toMustWaitCondition = (moment: CampusInstant) =>
  fragment`(${toQuietHoursCondition(moment)} OR k.suspended_at IS NOT NULL)`;

export const findUnreadMailRecipient = async (
  sql: Queryable,
  userId: string,
  moment: CampusInstant,
): Promise<UnreadMailRecipientRow | undefined> => {
  const [row] = await sql<UnreadMailRecipientRow[]>`
    SELECT u.id, u.email, u.full_name, u.email_messages, ${toMustWaitCondition(moment)} AS must_wait,
      ${mayQuoteMessagesCondition} AS wants_quotes
    FROM users u JOIN private.credentials k ON k.user_id = u.id LEFT JOIN notification_settings s ON s.user_id = u.id
    WHERE u.id = ${userId}`;
  return row;
};

const mutedForSellerSql = trustedSql(toMutedSql({ id: 'c.id', one: 'c.seller_id', other: 'c.buyer_id' }));

/**
 * Finds the seller of a conversation, to whom an email is about to be sent. Returns undefined if the email address is
 * no longer theirs, if they have read the messages up to `toSeq`, or if they have unsubscribed or blocked the buyer.
 */
export const findSubscribedSeller = async (
  sql: Queryable,
  {
    conversationId,
    toSeq,
    email,
    ...moment
  }: CampusInstant & { conversationId: string; toSeq: number; email: string },
): Promise<Pick<UnreadMailRecipientRow, 'id' | 'must_wait' | 'wants_quotes'> | undefined> => {
  const [row] = await sql<Pick<UnreadMailRecipientRow, 'id' | 'must_wait' | 'wants_quotes'>[]>`
    SELECT u.id, coalesce(${toChosenQuietHoursCondition(moment)}, false) OR k.suspended_at IS NOT NULL AS must_wait,
      ${mayQuoteMessagesCondition} AS wants_quotes
    FROM conversations c JOIN users u ON u.id = c.seller_id JOIN private.credentials k ON k.user_id = u.id
      LEFT JOIN notification_settings s ON s.user_id = u.id
    WHERE c.id = ${conversationId} AND c.seller_read_seq < ${toSeq} AND u.email = ${email} AND u.email_messages
      AND NOT ${mutedForSellerSql}`;
  return row;
};

const mutedForReaderSql = toMutedSql({ id: 'c.id', one: 'reader.id', other: 'o.id' });

/**
 * Lists which of these messages are unread now, by conversation, most recently active first. Leaves out conversations
 * with people whom the person blocked.
 */
export const listUnreadDigest = async (
  sql: Queryable,
  {
    userId,
    waiting,
    newest,
  }: { userId: string; waiting: readonly Omit<WaitingMessagesRow, 'waiting_since'>[]; newest: number },
): Promise<UnreadDigestRow[]> => sql<UnreadDigestRow[]>`
  WITH told AS (
    SELECT c.id, c.updated_at, coalesce(l.title, c.listing_title) AS listing_title,
      coalesce(o.display_name, ${deletedUserName}) AS other_name, w.to_seq,
      CASE WHEN c.buyer_id = ${userId} THEN c.buyer_acted_seq ELSE c.seller_acted_seq END AS acted_seq,
      greatest(w.from_seq, 1 + CASE WHEN c.buyer_id = ${userId} THEN c.buyer_read_seq ELSE c.seller_read_seq END)
        AS from_seq
    FROM unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map((it) => it.from_seq)}::bigint[],
      ${waiting.map((it) => it.to_seq)}::bigint[]) AS w (id, from_seq, to_seq)
    JOIN conversations c ON c.id = w.id AND (c.buyer_id = ${userId} OR c.seller_id = ${userId})
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status IN ('published', 'sold')
    LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
    CROSS JOIN (SELECT ${userId}::uuid AS id) AS reader
    WHERE NOT ${trustedSql(mutedForReaderSql)}
  ),
  counted AS (
    SELECT *, to_seq - from_seq + 1 - CASE WHEN acted_seq < from_seq THEN 0 ELSE (
      SELECT count(*) FROM messages
      WHERE conversation_id = told.id AND seq BETWEEN from_seq AND least(to_seq, acted_seq) AND sender_id = ${userId}
    ) END AS unread_count
    FROM told WHERE from_seq <= to_seq
  )
  SELECT id, listing_title, other_name, unread_count,
    EXISTS (
      SELECT FROM messages WHERE conversation_id = counted.id AND seq BETWEEN counted.from_seq AND counted.to_seq
        AND kind = 'text' AND sender_id IS DISTINCT FROM ${userId}
    ) AS has_text,
    ARRAY(
      SELECT left(message_text, 300) FROM (
        SELECT seq, message_text FROM messages
        WHERE conversation_id = counted.id AND seq BETWEEN counted.from_seq AND counted.to_seq
          AND sender_id IS DISTINCT FROM ${userId}
        ORDER BY seq DESC LIMIT ${newest}
      ) AS shown ORDER BY seq
    ) AS beginnings
  FROM counted WHERE unread_count > 0
  ORDER BY updated_at DESC, id`;

export const cancelAllDueUnreadMail = async (sql: Queryable): Promise<void> => {
  await sql`
    UPDATE conversations SET buyer_waiting_since = NULL, buyer_waiting_from = NULL,
      seller_waiting_since = NULL, seller_waiting_from = NULL
    WHERE buyer_waiting_since IS NOT NULL OR seller_waiting_since IS NOT NULL`;
};
