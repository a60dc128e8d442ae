import type { MessageQuery } from '#contract/conversations.ts';
import type { Queryable } from '#server/platform/database.ts';

export interface MessageRow {
  id: string;
  conversation_id: string;
  seq: number;
  sender_id: string | null;
  client_id: string;
  message_text: string;
  created_at: Date;
}

export interface PartiesRow {
  buyer_id: string | null;
  seller_id: string | null;
}

/** A conversation as one of its parties sees it: with the listing while it is published, and the other party. */
export interface ConversationRow extends PartiesRow {
  id: string;
  listing_id: string | null;
  listing_title: string;
  created_at: Date;
  updated_at: Date;
  unread_count: number;
  published_title: string | null;
  published_slug: string | null;
  published_price: number | null;
  published_photo: string | null;
  other_id: string | null;
  other_name: string | null;
  other_avatar_url: string | null;
  other_verified: boolean | null;
  message_id: string | null;
  message_seq: number | null;
  message_sender_id: string | null;
  message_client_id: string | null;
  message_text: string | null;
  message_created_at: Date | null;
}

export interface UnreadRow {
  unread_count: number;
  unread_total: number;
}

/** What the seller's mail about a first message is made of. */
export interface SellerNoticeRow {
  wanted: boolean;
  seller_email: string;
  seller_full_name: string | null;
  buyer_name: string;
  listing_title: string;
  message_text: string;
}

interface Mine {
  id: string;
  userId: string;
}

// A draft is its owner's alone, so an unpublished listing is joined no more than a deleted one. As seq is dense and
// sending marks all before as read, what is unread is the distance between two numbers.
const selectConversations = (sql: Queryable, userId: string, id?: string) => sql<ConversationRow[]>`
  SELECT c.id, c.listing_id, c.listing_title, c.buyer_id, c.seller_id, c.created_at, c.updated_at,
    c.last_seq - CASE WHEN c.buyer_id = ${userId} THEN c.buyer_read_seq ELSE c.seller_read_seq END AS unread_count,
    l.title AS published_title, l.slug AS published_slug, l.price AS published_price,
    l.photos[1] AS published_photo,
    o.id AS other_id, o.display_name AS other_name, o.avatar_url AS other_avatar_url,
    o.usc_verified AS other_verified,
    m.id AS message_id, m.seq AS message_seq, m.sender_id AS message_sender_id,
    m.client_id AS message_client_id, m.message_text, m.created_at AS message_created_at
  FROM conversations c
  LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
  LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq
  WHERE (c.buyer_id = ${userId} OR c.seller_id = ${userId}) ${id === undefined ? sql`` : sql`AND c.id = ${id}`}
  ORDER BY c.updated_at DESC, c.id`;

/** A person's conversations, the latest first. */
export const listConversations = async (sql: Queryable, userId: string): Promise<ConversationRow[]> =>
  selectConversations(sql, userId);

/** One of a person's conversations. */
export const findConversation = async (
  sql: Queryable,
  { id, userId }: Mine,
): Promise<ConversationRow | undefined> => {
  const [row] = await selectConversations(sql, userId, id);
  return row;
};

export const findPublishedListing = async (
  sql: Queryable,
  id: string,
): Promise<{ user_id: string } | undefined> => {
  const [row] = await sql<{ user_id: string }[]>`
    SELECT user_id FROM listings WHERE id = ${id} AND status = 'published'`;
  return row;
};

export const findConversationId = async (
  sql: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    SELECT c.id FROM conversations c JOIN listings l ON l.id = c.listing_id AND l.user_id = c.seller_id
    WHERE c.listing_id = ${listingId} AND c.buyer_id = ${buyerId}`;
  return row?.id;
};

/**
 * Since when a person has an account, and when they opened conversations since an instant; undefined when they are
 * gone. One opening at a time for each person, until the transaction ends.
 */
export const lockOpenings = async (
  tx: Queryable,
  { userId, since }: { userId: string; since: Date },
): Promise<{ joinedAt: Date; openedAt: Date[] } | undefined> => {
  const [person] = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  if (!person) return undefined;
  // Nothing was changed before it was opened; by the second bound the index finds the rows.
  const opened = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM conversations
    WHERE buyer_id = ${userId} AND created_at > ${since} AND updated_at > ${since} ORDER BY created_at`;
  return { joinedAt: person.created_at, openedAt: opened.map(({ created_at }) => created_at) };
};

/** Writes nothing where the conversation exists, or the listing or the buyer is gone since they were looked at. */
export const insertConversation = async (
  sql: Queryable,
  { listingId, buyerId, now }: { listingId: string; buyerId: string; now: Date },
): Promise<void> => {
  await sql`
    INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
    SELECT l.id, l.title, b.id, l.user_id, ${now}, ${now} FROM listings l, users b
    WHERE l.id = ${listingId} AND l.status = 'published' AND b.id = ${buyerId}
    FOR KEY SHARE
    ON CONFLICT ON CONSTRAINT conversations_unique DO NOTHING`;
};

/** The conversation's parties and newest seq, for one of the parties. */
export const findParties = async (
  sql: Queryable,
  { id, userId }: Mine,
): Promise<(PartiesRow & { last_seq: number }) | undefined> => {
  const [row] = await sql<(PartiesRow & { last_seq: number })[]>`
    SELECT buyer_id, seller_id, last_seq FROM conversations
    WHERE id = ${id} AND (buyer_id = ${userId} OR seller_id = ${userId})`;
  return row;
};

/** Oldest first; those after a seq, those before one, or the newest. */
export const listMessages = async (
  sql: Queryable,
  id: string,
  { after_seq: after, before_seq: before, limit }: MessageQuery,
): Promise<MessageRow[]> => {
  const rows = await sql<MessageRow[]>`
    SELECT id, conversation_id, seq, sender_id, client_id, message_text, created_at
    FROM messages
    WHERE conversation_id = ${id}
      ${after === undefined ? sql`` : sql`AND seq > ${after}`}
      ${before === undefined ? sql`` : sql`AND seq < ${before}`}
    ORDER BY seq ${after === undefined ? sql`DESC` : sql`ASC`}
    LIMIT ${limit}`;
  return after === undefined ? rows.toReversed() : [...rows];
};

export interface NewMessage extends Mine {
  clientId: string;
  text: string;
}

/**
 * Stores a message under the next seq: the row lock of the conversation makes seq dense and rising. Answers
 * undefined where the sender is no party, the other party is gone, or it would not be the first (`first`) or would be
 * (otherwise). Throws the unique violation `messages_once`
 * when this client id has been stored before; nothing is written then. From here on the message waits for the other
 * side to read it or to be told by mail; a buyer's first one does not, since a mail of its own tells of it.
 */
export const insertMessage = async (
  sql: Queryable,
  { id, userId, clientId, text, now, first }: NewMessage & { now: Date; first: boolean },
): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    WITH c AS (
      UPDATE conversations SET
        last_seq = last_seq + 1,
        updated_at = greatest(updated_at, ${now}),
        buyer_read_seq = CASE WHEN buyer_id = ${userId} THEN last_seq + 1 ELSE buyer_read_seq END,
        seller_read_seq = CASE WHEN seller_id = ${userId} THEN last_seq + 1 ELSE seller_read_seq END,
        buyer_seen_at = CASE WHEN buyer_id = ${userId} THEN ${now} ELSE buyer_seen_at END,
        seller_seen_at = CASE WHEN seller_id = ${userId} THEN ${now} ELSE seller_seen_at END,
        buyer_waiting_since = CASE WHEN seller_id = ${userId} THEN coalesce(buyer_waiting_since, ${now}) END,
        buyer_waiting_from = CASE WHEN buyer_waiting_since IS NULL THEN last_seq + 1 ELSE buyer_waiting_from END,
        seller_waiting_since = CASE WHEN buyer_id = ${userId} AND last_seq > 0
          THEN coalesce(seller_waiting_since, ${now}) END,
        seller_waiting_from = CASE WHEN seller_waiting_since IS NULL THEN last_seq + 1 ELSE seller_waiting_from END
      WHERE id = ${id} AND (buyer_id = ${userId} OR seller_id = ${userId})
        AND buyer_id IS NOT NULL AND seller_id IS NOT NULL AND (last_seq = 0) = ${first}
      RETURNING id, last_seq
    )
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, last_seq, ${userId}, ${clientId}, ${text}, ${now} FROM c
    RETURNING id, conversation_id, seq, sender_id, client_id, message_text, created_at`;
  return row;
};

export const findMessageByClientId = async (
  sql: Queryable,
  { id, userId, clientId }: Mine & { clientId: string },
): Promise<MessageRow | undefined> => {
  const [row] = await sql<MessageRow[]>`
    SELECT id, conversation_id, seq, sender_id, client_id, message_text, created_at
    FROM messages
    WHERE conversation_id = ${id} AND sender_id = ${userId} AND client_id = ${clientId}`;
  return row;
};

/** Moves the reader's mark forward, never past the newest message, never back; answers whether it moved. */
export const markRead = async (
  sql: Queryable,
  { id, userId, seq, now }: Mine & { seq: number; now: Date },
): Promise<boolean> => {
  const { count } = await sql`
    UPDATE conversations SET
      buyer_read_seq = CASE WHEN buyer_id = ${userId} THEN least(${seq}::bigint, last_seq) ELSE buyer_read_seq END,
      seller_read_seq = CASE WHEN seller_id = ${userId} THEN least(${seq}::bigint, last_seq) ELSE seller_read_seq END,
      buyer_seen_at = CASE WHEN buyer_id = ${userId} THEN ${now} ELSE buyer_seen_at END,
      seller_seen_at = CASE WHEN seller_id = ${userId} THEN ${now} ELSE seller_seen_at END,
      buyer_waiting_since = CASE WHEN buyer_id = ${userId} AND ${seq}::bigint >= last_seq
        THEN NULL ELSE buyer_waiting_since END,
      seller_waiting_since = CASE WHEN seller_id = ${userId} AND ${seq}::bigint >= last_seq
        THEN NULL ELSE seller_waiting_since END
    WHERE id = ${id} AND (buyer_id = ${userId} OR seller_id = ${userId})
      AND CASE WHEN buyer_id = ${userId} THEN buyer_read_seq ELSE seller_read_seq END < least(${seq}::bigint, last_seq)`;
  return count > 0;
};

/** What a party has not read: in this conversation and in all. */
export const findUnread = async (sql: Queryable, { id, userId }: Mine): Promise<UnreadRow | undefined> => {
  const [row] = await sql<{ unread_count: number | null; unread_total: number }[]>`
    SELECT max(unread) FILTER (WHERE id = ${id}) AS unread_count, coalesce(sum(unread), 0) AS unread_total
    FROM (
      SELECT id, last_seq - CASE WHEN buyer_id = ${userId} THEN buyer_read_seq ELSE seller_read_seq END AS unread
      FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}
    ) AS mine`;
  if (!row || row.unread_count === null) return undefined;
  return { unread_count: row.unread_count, unread_total: row.unread_total };
};

/** What a person has not read in all. */
export const countUnread = async (sql: Queryable, userId: string): Promise<number> => {
  const [row] = await sql<{ total: number }[]>`
    SELECT coalesce(sum(last_seq - CASE WHEN buyer_id = ${userId} THEN buyer_read_seq ELSE seller_read_seq END), 0)
      AS total
    FROM conversations WHERE buyer_id = ${userId} OR seller_id = ${userId}`;
  return row?.total ?? 0;
};

/**
 * Claims the telling of the seller, once for each conversation: answers what the mail needs, or undefined when it
 * was claimed before or there is nothing to tell (no message yet, or the seller wrote first).
 */
export const claimSellerNotice = async (
  sql: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<SellerNoticeRow | undefined> => {
  const [row] = await sql<SellerNoticeRow[]>`
    UPDATE conversations c SET seller_told_at = ${now}
    FROM messages m, users s, users b
    WHERE c.id = ${id} AND c.seller_told_at IS NULL
      AND m.conversation_id = c.id AND m.seq = 1 AND m.sender_id = c.buyer_id
      AND s.id = c.seller_id AND b.id = c.buyer_id
    RETURNING s.email_messages AS wanted, s.email AS seller_email, s.full_name AS seller_full_name,
      b.display_name AS buyer_name, c.listing_title, m.message_text`;
  return row;
};

/** Both parties, as far as their accounts still exist. */
export const listParties = async (sql: Queryable, id: string): Promise<string[]> => {
  const [row] = await sql<PartiesRow[]>`SELECT buyer_id, seller_id FROM conversations WHERE id = ${id}`;
  return [row?.buyer_id, row?.seller_id].filter((party) => typeof party === 'string');
};

/** The newest seq of each of these conversations. */
export const listLastSeqs = async (
  sql: Queryable,
  ids: readonly string[],
): Promise<{ id: string; last_seq: number }[]> =>
  sql<{ id: string; last_seq: number }[]>`
    SELECT id, last_seq FROM conversations WHERE id = ANY (${[...ids]}::uuid[])`;
