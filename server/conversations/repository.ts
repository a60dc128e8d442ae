import type { Photo } from '#contract/photos.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

export interface PartiesRow {
  buyer_id: string | null;
  seller_id: string | null;
}

/** A conversation as seen by one of its parties: with the other party, and with the listing while it is published. */
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
  published_cover: Photo | null;
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

/** The values of the seller's email about a first message. */
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

// Until its first message a conversation is the buyer's alone: opening it must not show the seller anything.
// A draft is its owner's alone, so an unpublished listing is joined no more than a deleted one. As seq is dense and
// sending marks all before as read, what is unread is the distance between two numbers.
const selectConversations = (sql: Queryable, userId: string, id?: string) => sql<ConversationRow[]>`
  SELECT c.id, c.listing_id, c.listing_title, c.buyer_id, c.seller_id, c.created_at, c.updated_at,
    c.last_seq - CASE WHEN c.buyer_id = ${userId} THEN c.buyer_read_seq ELSE c.seller_read_seq END AS unread_count,
    l.title AS published_title, l.slug AS published_slug, l.price AS published_price,
    l.photos[1] AS published_photo,
    CASE WHEN p.url IS NOT NULL THEN
      json_build_object('url', p.url, 'width', p.width, 'height', p.height, 'thumbhash', p.thumbhash)
    END AS published_cover,
    o.id AS other_id, o.display_name AS other_name, o.avatar_url AS other_avatar_url,
    o.usc_verified AS other_verified,
    m.id AS message_id, m.seq AS message_seq, m.sender_id AS message_sender_id,
    m.client_id AS message_client_id, m.message_text, m.created_at AS message_created_at
  FROM conversations c
  LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
  LEFT JOIN private.objects p ON p.url = l.photos[1]
  LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq
  WHERE (c.buyer_id = ${userId} OR (c.seller_id = ${userId} AND c.last_seq > 0)) ${id === undefined ? sql`` : sql`AND c.id = ${id}`}
  ORDER BY c.updated_at DESC, c.id`;

/** A person's conversations, the latest first. */
export const listConversations = async (sql: Queryable, userId: string): Promise<ConversationRow[]> =>
  selectConversations(sql, userId);

/** Finds one of a person's conversations. */
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
 * Returns when the buyer of a conversation without a message joined and when they started others since an instant;
 * undefined for anybody and anything else. Locks the conversation, then its buyer, until the transaction ends: one
 * conversation is started at a time, and locks are taken in the order in which deleting an account takes them.
 */
export const lockStarts = async (
  tx: Queryable,
  { id, userId, since }: Mine & { since: Date },
): Promise<{ joinedAt: Date; startedAt: Date[] } | undefined> => {
  const { count: empty } = await tx`
    SELECT FROM conversations WHERE id = ${id} AND buyer_id = ${userId} AND last_seq = 0 FOR NO KEY UPDATE`;
  if (empty === 0) return undefined;
  const [person] = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  if (!person) return undefined;
  // A first message sets created_at; nothing is updated before that, so the index on updated_at finds the rows.
  const started = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM conversations
    WHERE buyer_id = ${userId} AND last_seq > 0 AND created_at > ${since} AND updated_at > ${since}
    ORDER BY created_at`;
  return { joinedAt: person.created_at, startedAt: started.map(({ created_at }) => created_at) };
};

/** Inserts nothing when the conversation exists, or when the listing or the buyer has been deleted in the meantime. */
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

/** Returns the conversation's parties and newest seq, for one of its parties. */
export const findParties = async (
  sql: Queryable,
  { id, userId }: Mine,
): Promise<(PartiesRow & { last_seq: number }) | undefined> => {
  const [row] = await sql<(PartiesRow & { last_seq: number })[]>`
    SELECT buyer_id, seller_id, last_seq FROM conversations
    WHERE id = ${id} AND (buyer_id = ${userId} OR seller_id = ${userId})`;
  return row;
};

/**
 * Claims the email to the seller, once per conversation. Returns the email's values, or undefined when it was claimed
 * before or is not due (no message yet, or the seller wrote first).
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

/** Lists the parties whose accounts still exist. */
export const listParties = async (sql: Queryable, id: string): Promise<string[]> => {
  const [row] = await sql<PartiesRow[]>`SELECT buyer_id, seller_id FROM conversations WHERE id = ${id}`;
  return [row?.buyer_id, row?.seller_id].filter((party) => typeof party === 'string');
};

/** Lists the newest seq of each of these conversations. */
export const listLastSeqs = async (
  sql: Queryable,
  ids: readonly string[],
): Promise<{ id: string; last_seq: number }[]> =>
  sql<{ id: string; last_seq: number }[]>`
    SELECT id, last_seq FROM conversations WHERE id = ANY (${[...ids]}::uuid[])`;
