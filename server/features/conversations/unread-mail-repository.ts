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
import { conversationSides, setForEachParty, setForParty, toMutedAtSql, whereEitherParty } from './sql.ts';

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
      SELECT user_id FROM ${conversationSides} AS side WHERE user_id IS NOT NULL AND waiting_since <= ${before})
    AND NOT EXISTS (SELECT FROM ${conversationSides} AS side WHERE user_id = u.id AND seen_at > ${before})`;
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
  const locked = await tx<{ id: string }[]>`
    SELECT id FROM conversations
    WHERE ${whereEitherParty(({ id, waiting_since }) => fragment`${id} = ${userId} AND ${waiting_since} IS NOT NULL`)}
    ORDER BY id FOR NO KEY UPDATE`;
  return tx<WaitingMessagesRow[]>`
    SELECT id, last_seq AS to_seq, waiting_since, waiting_from AS from_seq FROM ${conversationSides} AS side
    WHERE id = ANY (${locked.map(({ id }) => id)}::uuid[]) AND user_id = ${userId} ORDER BY id`;
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
      ${setForParty(userId, () => ({ waiting_since: null }))}
    WHERE id = ANY (${[...ids]}::uuid[])`;
};

/**
 * Records that messages wait for an email again: in each conversation, the unread ones from the given message on, or from
 * an earlier one that already waits.
 */
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
    UPDATE conversations c SET
      ${setForParty(userId, ({ read_seq, waiting_since, waiting_from }) => ({
        waiting_since: fragment`CASE WHEN ${read_seq} < last_seq THEN coalesce(${waiting_since}, ${now}) ELSE ${waiting_since} END`,
        waiting_from: fragment`least(CASE WHEN ${waiting_since} IS NOT NULL THEN ${waiting_from} END, from_seq)`,
      }))}
    FROM unnest(${[...ids]}::uuid[], ${[...fromSeqs]}::bigint[]) AS w (id, from_seq)
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
 * no longer theirs, if they have read the messages up to `toSeq` or the first one was unsent, or if they have unsubscribed or
 * blocked the buyer. The message that came with an offer is not quoted if it was unsent.
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
      ${mayQuoteMessagesCondition} AND NOT EXISTS (SELECT FROM messages WHERE conversation_id = c.id AND seq = 2 AND unsent_number IS NOT NULL)
        AS wants_quotes
    FROM conversations c JOIN users u ON u.id = c.seller_id JOIN private.credentials k ON k.user_id = u.id
      LEFT JOIN notification_settings s ON s.user_id = u.id
    WHERE c.id = ${conversationId} AND c.seller_read_seq < ${toSeq} AND u.email = ${email} AND u.email_messages
      AND NOT EXISTS (SELECT FROM messages WHERE conversation_id = c.id AND seq = 1 AND unsent_number IS NOT NULL)
      AND NOT ${mutedForSellerSql}`;
  return row;
};

const mutedForReaderSql = toMutedSql({ id: 'c.id', one: 'c.user_id', other: 'c.other_id' });

/**
 * Lists which of these messages are unread now, by conversation, most recently active first. Leaves out conversations
 * with people whom the person blocked, and of muted conversations all but event lines.
 */
export const listUnreadDigest = async (
  sql: Queryable,
  {
    userId,
    waiting,
    newest,
    now,
  }: {
    userId: string;
    waiting: readonly Omit<WaitingMessagesRow, 'waiting_since'>[];
    newest: number;
    now: Date;
  },
): Promise<UnreadDigestRow[]> => sql<UnreadDigestRow[]>`
  WITH told AS (
    SELECT c.id, c.updated_at, coalesce(l.title, c.listing_title) AS listing_title,
      coalesce(o.display_name, ${deletedUserName}) AS other_name, w.to_seq,
      c.acted_seq, greatest(w.from_seq, 1 + c.read_seq) AS from_seq, ${toMutedAtSql('c', now)} AS is_muted
    FROM unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map((it) => it.from_seq)}::bigint[],
      ${waiting.map((it) => it.to_seq)}::bigint[]) AS w (id, from_seq, to_seq)
    JOIN ${conversationSides} AS c ON c.id = w.id AND c.user_id = ${userId}
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status IN ('published', 'sold')
    LEFT JOIN users o ON o.id = c.other_id
    WHERE NOT ${trustedSql(mutedForReaderSql)}
  ),
  counted AS (
    SELECT *, CASE WHEN is_muted THEN (
      SELECT count(*) FROM messages
      WHERE conversation_id = told.id AND seq BETWEEN from_seq AND to_seq AND kind <> 'text' AND sender_id IS DISTINCT FROM ${userId}
    ) ELSE to_seq - from_seq + 1 - CASE WHEN acted_seq < from_seq THEN 0 ELSE (
      SELECT count(*) FROM messages
      WHERE conversation_id = told.id AND seq BETWEEN from_seq AND least(to_seq, acted_seq) AND sender_id = ${userId}
    ) END - (
      SELECT count(*) FROM messages WHERE conversation_id = told.id AND unsent_number IS NOT NULL
        AND seq BETWEEN from_seq AND to_seq AND sender_id IS DISTINCT FROM ${userId}
    ) END AS unread_count
    FROM told WHERE from_seq <= to_seq
  )
  SELECT id, listing_title, other_name, unread_count,
    EXISTS (
      SELECT FROM messages WHERE conversation_id = counted.id AND seq BETWEEN counted.from_seq AND counted.to_seq
        AND kind = 'text' AND NOT counted.is_muted AND unsent_number IS NULL AND sender_id IS DISTINCT FROM ${userId}
    ) AS has_text,
    ARRAY(
      SELECT left(message_text, 300) FROM (
        SELECT seq, message_text FROM messages
        WHERE conversation_id = counted.id AND seq BETWEEN counted.from_seq AND counted.to_seq
          AND unsent_number IS NULL AND sender_id IS DISTINCT FROM ${userId}
          AND NOT (counted.is_muted AND kind = 'text')
        ORDER BY seq DESC LIMIT ${newest}
      ) AS shown ORDER BY seq
    ) AS beginnings
  FROM counted WHERE unread_count > 0
  ORDER BY updated_at DESC, id`;

export const cancelAllDueUnreadMail = async (sql: Queryable): Promise<void> => {
  await sql`
    UPDATE conversations SET
      ${setForEachParty(({ waiting_since, waiting_from }) => fragment`${waiting_since} = NULL, ${waiting_from} = NULL`)}
    WHERE ${whereEitherParty(({ waiting_since }) => fragment`${waiting_since} IS NOT NULL`)}`;
};
