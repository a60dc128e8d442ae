import {
  lastMessagePreviewLength,
  type Message,
  type MessageKind,
  type MessagePhoto,
  type MessageQuery,
  type QuotedMessage,
} from '#contract/conversations.ts';
import type { EventLine } from '#contract/deal-event-lines.ts';
import { insertDuePushes } from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type Fragment,
  fragment,
  type SqlValue,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import { toMayWriteSql } from './contact-sql.ts';
import {
  conversationSides,
  setForEachParty,
  setForParty,
  toArchivedSql,
  toMutedAtSql,
  whereEitherParty,
} from './sql.ts';
import { toUnreadCountSql } from './unread-count.ts';

export interface MessageRow {
  id: string;
  conversation_id: string;
  seq: number;
  sender_id: string | null;
  client_id: string;
  message_text: string;
  created_at: Date;
  kind: MessageKind;
  data: EventLine | null;
  photos?: MessagePhoto[] | null;
  /** The message that this one replies to. */
  reply_to?: QuotedMessage | null | undefined;
  unsent_number?: number | null;
}

export interface UnreadCountsRow {
  unread_count: number;
  unread_total: number;
}

export interface ConversationPartyIds {
  id: string;
  userId: string;
}

/**
 * The photos of a message, as `MessagePhoto[]`; null in messages without photos, and when the sender's account was deleted.
 */
const photosSql = fragment`
  CASE WHEN photos IS NOT NULL THEN (
    SELECT json_agg(json_build_object('id', p.id, 'width', o.width, 'height', o.height, 'thumbhash', o.thumbhash)
      ORDER BY p.place)
    FROM unnest(photos) WITH ORDINALITY AS p (id, place)
    JOIN private.objects o ON o.bucket = 'message-photos' AND o.path = sender_id || '/' || p.id || '.jpg'
  ) END AS photos`;

/** The message that a row of `messages` replies to, as `QuotedMessage`; null in messages that are no replies. */
const replySql = fragment`
  CASE WHEN messages.reply_to_seq IS NOT NULL THEN (
    SELECT json_build_object('id', q.id, 'seq', q.seq, 'sender_id', q.sender_id,
      'message_text', left(q.message_text, ${trustedSql(String(lastMessagePreviewLength))}),
      'has_photos', q.photos IS NOT NULL AND q.sender_id IS NOT NULL,
      'photo_id', CASE WHEN q.sender_id IS NOT NULL THEN q.photos[1] END, 'is_unsent', q.unsent_number IS NOT NULL)
    FROM messages q WHERE q.conversation_id = messages.conversation_id AND q.seq = messages.reply_to_seq
  ) END AS reply_to`;

export const messageColumns = fragment`
  id, conversation_id, seq, sender_id, client_id, message_text, created_at, kind, data, unsent_number, ${photosSql},
  ${replySql}`;

/** Returns the SQL of the number of unsent messages of a conversation. */
export const toUnsentCountSql = (conversationId: SqlValue): Fragment => fragment`
  (SELECT coalesce(max(unsent_number), 0) FROM messages
    WHERE conversation_id = ${conversationId} AND unsent_number IS NOT NULL)`;

/**
 * Lists messages of a conversation, oldest first: those after a sequence number (seq), those before a sequence number,
 * or the newest. Each has the number of unsent messages of the conversation at the same time.
 */
export const listMessages = async (
  sql: Queryable,
  id: string,
  { after_seq: after, before_seq: before, limit }: Pick<MessageQuery, 'after_seq' | 'before_seq' | 'limit'>,
): Promise<(MessageRow & { unsent_count: number })[]> => {
  const rows = await sql<(MessageRow & { unsent_count: number })[]>`
    SELECT ${messageColumns}, ${toUnsentCountSql(id)} AS unsent_count
    FROM messages
    WHERE conversation_id = ${id}
      ${after === undefined ? fragment`` : fragment`AND seq > ${after}`}
      ${before === undefined ? fragment`` : fragment`AND seq < ${before}`}
    ORDER BY seq ${after === undefined ? fragment`DESC` : fragment`ASC`}
    LIMIT ${limit}`;
  return after === undefined ? rows.toReversed() : [...rows];
};

/** Lists the messages of a conversation that were unsent after the first `after` ones, in this order. */
export const listUnsentMessages = async (
  sql: Queryable,
  { id, after, limit }: { id: string; after: number; limit: number },
): Promise<(MessageRow & { unsent_number: number })[]> => sql<(MessageRow & { unsent_number: number })[]>`
  SELECT ${messageColumns} FROM messages
  WHERE conversation_id = ${id} AND unsent_number IS NOT NULL AND unsent_number > ${after}
  ORDER BY unsent_number LIMIT ${limit}`;

const mayWriteSql = toMayWriteSql({
  id: 'conversations.id',
  one: 'conversations.buyer_id',
  other: 'conversations.seller_id',
});

export interface NewMessage extends ConversationPartyIds {
  clientId: string;
  text: string;
  /**
   * The seq up to which the sender had seen all messages when writing this one. Without it, the sender counts as having
   * seen all.
   */
  seenSeq?: number | undefined;
  /** Ids of uploaded photos. `insertMessages` leaves them out. */
  photos?: readonly string[] | undefined;
  /** Id of the message that this one replies to. */
  replyTo?: string | undefined;
  /** Stores more about a message with photos, in its transaction. `insertMessages` leaves it out. */
  onStored?: ((tx: Queryable, stored: Pick<MessageRow, 'id'>) => Promise<void>) | undefined;
}

/**
 * Stores one message in each of several conversations, with the next sequence number (seq); locking the
 * conversation's row ensures that seq has no gaps. Returns the stored messages by conversation id. A message is
 * missing from the result when its sender is not a party, when the other party was deleted or may not be contacted,
 * when the conversation does not have the message that it replies to, or when `first` does not match whether this is the first message of its conversation. Throws the unique violation
 * `messages_once`, without writing anything, when a message with one of these client ids was stored before. Also
 * queues push notifications, and marks the messages as waiting for an email about unread messages, except a buyer's
 * first message, for which there is a separate email. The first message sets the creation time of the conversation,
 * which determines its age and counts toward the limit on new conversations. Earlier messages become read for the
 * sender up to `seenSeq`. docs/architecture.md ("Messages") explains the columns of each party.
 */
export const insertMessages = async (
  sql: Queryable,
  given: readonly NewMessage[],
  { now, first }: { now: Date; first: boolean },
): Promise<Map<string, MessageRow>> => {
  // The conversations are locked in the order of their ids, as everywhere, so that concurrent batches of other processes
  // cause no deadlock. Only what PostgreSQL determines is read back; the other columns hold the given values unchanged.
  const stored = await sql<Pick<MessageRow, 'conversation_id' | 'id' | 'seq' | 'reply_to'>[]>`
    WITH given AS (
      SELECT given.*, ${now}::timestamptz AS now, CASE WHEN reply_to IS NOT NULL THEN (
        SELECT seq FROM messages q WHERE q.id = reply_to AND q.conversation_id = given.conversation_id AND q.kind = 'text'
      ) END AS reply_to_seq
      FROM unnest(
        ${given.map(({ id }) => id)}::uuid[],
        ${given.map(({ userId }) => userId)}::uuid[],
        ${given.map(({ clientId }) => clientId)}::uuid[],
        ${given.map(({ text }) => text)}::text[],
        ${given.map(({ seenSeq }) => seenSeq ?? Number.MAX_SAFE_INTEGER)}::bigint[],
        ${given.map(({ replyTo }) => replyTo ?? null)}::uuid[]
      ) AS given (conversation_id, sender, client_id, message_text, seen_seq, reply_to)
      JOIN conversations c ON c.id = conversation_id AND sender IN (c.buyer_id, c.seller_id)
      ORDER BY conversation_id FOR NO KEY UPDATE OF c
    ),
    c AS (
      UPDATE conversations SET
        last_seq = last_seq + 1,
        created_at = CASE WHEN last_seq = 0 THEN now ELSE created_at END,
        is_started_by_seller = CASE WHEN last_seq = 0 THEN sender = seller_id ELSE is_started_by_seller END,
        updated_at = greatest(updated_at, now),
        ${setForParty(fragment`sender`, ({ read_seq }) => ({
          read_seq: fragment`CASE WHEN greatest(seen_seq, ${read_seq}) < last_seq THEN greatest(seen_seq, ${read_seq})
            ELSE last_seq + 1 END`,
          acted_seq: fragment`last_seq + 1`,
          seen_at: fragment`now`,
          marked_unread: fragment`false`,
        }))},
        ${setForEachParty(
          ({ id, read_seq, waiting_since, waiting_from }) => fragment`
            ${waiting_since} = CASE
              WHEN ${id} = sender THEN CASE WHEN greatest(seen_seq, ${read_seq}) < last_seq THEN ${waiting_since} END
              WHEN last_seq > 0 OR sender = seller_id THEN coalesce(${waiting_since}, now) END,
            ${waiting_from} = CASE WHEN ${waiting_since} IS NULL THEN last_seq + 1 ELSE ${waiting_from} END`,
        )}
      FROM given
      WHERE id = conversation_id AND sender IN (buyer_id, seller_id)
        AND buyer_id IS NOT NULL AND seller_id IS NOT NULL AND (last_seq = 0) = ${first}
        AND (reply_to IS NULL OR reply_to_seq IS NOT NULL)
        AND ${trustedSql(mayWriteSql)}
      RETURNING id, last_seq, sender, client_id, message_text, reply_to_seq, buyer_id, seller_id
    ),
    due AS (${insertDuePushes(
      fragment`SELECT person, 'conversation', id, 'messages', '' FROM c, unnest(ARRAY[buyer_id, seller_id]) AS person
        WHERE person <> sender`,
      now,
    )})
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at, kind, reply_to_seq)
    SELECT id, last_seq, sender, client_id, message_text, ${now}, 'text', reply_to_seq FROM c
    RETURNING conversation_id, id, seq, ${replySql}`;
  const messagesByConversation = new Map(given.map((message) => [message.id, message]));
  return new Map(
    stored.flatMap(({ conversation_id, id, seq, reply_to }) => {
      const message = messagesByConversation.get(conversation_id);
      if (!message) return [];
      const row: MessageRow = {
        id,
        conversation_id,
        seq,
        sender_id: message.userId,
        client_id: message.clientId,
        message_text: message.text,
        created_at: now,
        kind: 'text',
        data: null,
        reply_to,
      };
      return [[conversation_id, row]];
    }),
  );
};

export const findMessageByClientId = async (
  sql: Queryable,
  { id, userId, clientId }: ConversationPartyIds & { clientId: string },
): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    SELECT ${messageColumns}
    FROM messages
    WHERE conversation_id = ${id} AND sender_id = ${userId} AND client_id = ${clientId}`;
  return row;
};

/** Finds a message that a person wrote. */
export const findTextMessage = async (
  sql: Queryable,
  { id, messageId }: { id: string; messageId: string },
): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    SELECT ${messageColumns} FROM messages WHERE id = ${messageId} AND conversation_id = ${id} AND kind = 'text'`;
  return row;
};

/**
 * Moves a party's read position forward to `seq` and past the party's own messages that follow it, but never past the
 * newest message and never back, and ends the party's own mark as unread. Returns whether the position moved, or undefined
 * when nothing changed.
 */
export const markRead = async (
  sql: Queryable,
  { id, userId, seq, now }: ConversationPartyIds & { seq: number; now: Date },
): Promise<{ seen: boolean } | undefined> => {
  // Own messages can follow only if the party stored a message after `seq`. Otherwise no messages are read.
  const [row] = await sql<{ seen: boolean }[]>`
    WITH reached AS (
      SELECT read_seq AS read_before, CASE WHEN ${seq}::bigint >= acted_seq THEN ${seq}::bigint
        ELSE (
          SELECT coalesce(min(seq) FILTER (WHERE sender_id IS DISTINCT FROM ${userId}) - 1, max(seq), ${seq}::bigint)
          FROM messages WHERE conversation_id = ${id} AND seq > ${seq}::bigint)
        END AS reached_seq
      FROM ${conversationSides} AS side WHERE id = ${id} AND user_id = ${userId}
    )
    UPDATE conversations SET
      ${setForParty(userId, ({ read_seq, waiting_since }) => ({
        read_seq: fragment`greatest(${read_seq}, least(reached_seq, last_seq))`,
        seen_at: now,
        waiting_since: fragment`CASE WHEN greatest(${read_seq}, reached_seq) < last_seq THEN ${waiting_since} END`,
        marked_unread: fragment`false`,
      }))}
    FROM reached
    WHERE id = ${id} AND ${whereEitherParty(
      ({ id: party, read_seq, marked_unread }) =>
        fragment`${party} = ${userId} AND (${read_seq} < least(reached_seq, last_seq) OR ${marked_unread})`,
    )}
    RETURNING read_before < least(reached_seq, last_seq) AS seen`;
  return row;
};

/** Maximum number of unread conversations that are added up, so that the cost of counting is limited. */
const maxCountedConversations = 1_000;

const unreadCountSql = trustedSql(toUnreadCountSql('side'));

/** The condition that the unread messages of a conversation count toward the total. */
const toCountedCondition = (now: Date): Fragment =>
  fragment`NOT ${toMutedAtSql('side', now)} AND NOT ${trustedSql(toArchivedSql('side'))}`;

interface UnreadReader {
  userId: string;
  now: Date;
}

/**
 * Returns the SQL that counts a person's unread messages in all conversations that are neither muted nor archived. It uses
 * partial indexes that contain only conversations with unread messages, and those marked as unread.
 */
const unreadTotalSql = ({ userId, now }: UnreadReader): Fragment => fragment`
  SELECT coalesce(sum(unread), 0) FROM (
    (SELECT ${unreadCountSql} AS unread FROM ${conversationSides} AS side
      WHERE user_id = ${userId} AND read_seq < last_seq AND ${toCountedCondition(now)} LIMIT ${maxCountedConversations})
    UNION ALL
    (SELECT 1 FROM ${conversationSides} AS side
      WHERE user_id = ${userId} AND marked_unread AND read_seq >= last_seq AND ${toCountedCondition(now)}
      LIMIT ${maxCountedConversations})
  ) AS unread_conversations`;

/**
 * Returns the number of messages that a party has not read, in this conversation (0 if it is muted or archived) and in
 * total, or undefined for a person who is not a party of the conversation.
 */
export const findUnreadCounts = async (
  sql: Queryable,
  { id, userId, now }: ConversationPartyIds & UnreadReader,
): Promise<UnreadCountsRow | undefined> => {
  const [row] = await sql<UnreadCountsRow[]>`
    SELECT CASE WHEN ${toCountedCondition(now)} THEN ${unreadCountSql} ELSE 0 END AS unread_count,
      (${unreadTotalSql({ userId, now })}) AS unread_total
    FROM ${conversationSides} AS side WHERE id = ${id} AND user_id = ${userId}`;
  return row;
};

/** Returns the number of messages that a person has not read, in all conversations that are neither muted nor archived. */
export const countUnread = async (sql: Queryable, reader: UnreadReader): Promise<number> => {
  const [row] = await sql<{ total: number }[]>`SELECT (${unreadTotalSql(reader)}) AS total`;
  return row?.total ?? 0;
};

export const presentMessage = (row: MessageRow): Message => ({
  id: row.id,
  conversation_id: row.conversation_id,
  seq: row.seq,
  sender_id: row.sender_id,
  client_id: row.client_id,
  message_text: row.message_text,
  ...(row.photos ? { photos: row.photos } : {}),
  ...(row.reply_to ? { reply_to: row.reply_to } : {}),
  ...(row.unsent_number ? { unsent_number: row.unsent_number } : {}),
  created_at: row.created_at.toISOString(),
  kind: row.kind,
  data: row.data,
});
