import type { AccountTierFacts } from '#contract/limits.ts';
import { toFormerMemberSql } from '#server/features/accounts/sql.ts';
import { toMayContactSql } from '#server/features/blocks/sql.ts';
import { formerMemberListingCondition, toPassedCondition } from '#server/features/listing-visibility/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { toMayWriteSql } from './contact-sql.ts';
import { toUnsentCountSql } from './message-repository.ts';

const mayContactSql = trustedSql(`(${toMayContactSql('l.user_id', 'reader.id')})`);
const mayWriteSql = trustedSql(toMayWriteSql({ id: 'c.id', one: 'c.buyer_id', other: 'c.seller_id' }));

export interface ConversationPartiesRow {
  buyer_id: string | null;
  seller_id: string | null;
}

export interface ConversationProgressRow {
  last_seq: number;
  unsent_count: number;
}

/** The contents of the email that notifies the seller of a first message. */
export interface FirstMessageEmailRow {
  wanted: boolean;
  seller_email: string;
  seller_full_name: string | null;
  buyer_name: string;
  listing_title: string;
  /** Whether the buyer wrote a message. An offer without one is an event line, which the server writes. */
  is_written: boolean;
  message_text: string;
  /** The sequence number of the last message that the email quotes. */
  to_seq: number;
}

interface ConversationPartyIds {
  id: string;
  userId: string;
}

/** A listing and somebody who wants it, today (the date on the campus, YYYY-MM-DD). */
interface WantedListing {
  listingId: string;
  buyerId: string;
  today: string;
}

/**
 * Finds a published listing whose game has not passed, and whether its seller and a person may contact each other.
 */
export const findPublishedListing = async (
  sql: Queryable,
  { listingId, buyerId, today }: WantedListing,
): Promise<{ user_id: string; may_contact: boolean } | undefined> => {
  const [row] = await sql<{ user_id: string; may_contact: boolean }[]>`
    SELECT l.user_id, ${mayContactSql} AS may_contact FROM listings l, (SELECT ${buyerId}::uuid AS id) reader
    WHERE l.id = ${listingId} AND l.status = 'published' AND NOT ${toPassedCondition(today)}
      AND NOT ${formerMemberListingCondition}`;
  return row;
};

export const isFormerMember = async (sql: Queryable, userId: string): Promise<boolean> => {
  const [row] = await sql<{ is_former: boolean }[]>`SELECT ${toFormerMemberSql(userId)} AS is_former`;
  return row?.is_former ?? false;
};

export const mayPartiesWrite = async (sql: Queryable, id: string): Promise<boolean> => {
  const [row] = await sql<
    { may_write: boolean }[]
  >`SELECT ${mayWriteSql} AS may_write FROM conversations c WHERE c.id = ${id}`;
  return row?.may_write ?? false;
};

export const findConversationId = async (
  sql: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    SELECT c.id FROM conversations c JOIN listings l ON l.id = c.listing_id AND l.user_id = c.seller_id AND l.deleted_at IS NULL
    WHERE c.listing_id = ${listingId} AND c.buyer_id = ${buyerId}`;
  return row?.id;
};

/** Lists a seller's most recently active conversations, each with its buyer. */
export const listLatestBuyers = (
  sql: Queryable,
  sellerId: string,
  limit: number,
): Promise<{ conversation_id: string; user_id: string }[]> =>
  sql<{ conversation_id: string; user_id: string }[]>`
    SELECT id AS conversation_id, buyer_id AS user_id FROM conversations
    WHERE seller_id = ${sellerId} AND buyer_id IS NOT NULL ORDER BY updated_at DESC LIMIT ${limit}`;

/** Lists a person's most recently active conversations with another person. */
export const listLatestConversationsWith = async (
  sql: Queryable,
  { userId, otherId, limit }: { userId: string; otherId: string; limit: number },
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM conversations
    WHERE (buyer_id = ${userId} AND seller_id = ${otherId}) OR (seller_id = ${userId} AND buyer_id = ${otherId})
    ORDER BY updated_at DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};

/** Returns the SQL condition that a person started the conversation `c`: the buyer, unless the seller wrote first. */
const toStartedBySql = (userId: string): Fragment => fragment`(
  (c.buyer_id = ${userId} AND NOT c.is_started_by_seller) OR (c.seller_id = ${userId} AND c.is_started_by_seller))`;

/**
 * For a party of a conversation without messages, returns when they joined and when they started other conversations
 * since the given time, or undefined for other people and conversations. Locks the conversation, then the party, until
 * the transaction ends. A person can therefore start only one conversation at a time, and the locks are acquired in the
 * same order as when an account is deleted.
 */
export const lockAndListConversationStarts = async (
  tx: Queryable,
  { id, userId, since }: ConversationPartyIds & { since: Date },
): Promise<(AccountTierFacts & { startedAt: Date[] }) | undefined> => {
  const { count: empty } = await tx`
    SELECT FROM conversations
    WHERE id = ${id} AND ${userId} IN (buyer_id, seller_id) AND last_seq = 0 FOR NO KEY UPDATE`;
  if (empty === 0) return undefined;
  const [person] = await tx<{ created_at: Date; usc_verified: boolean }[]>`
    SELECT created_at, usc_verified FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  if (!person) return undefined;
  // The condition on updated_at is redundant, because it is never earlier than created_at, but it
  // allows the index on updated_at to be used.
  const started = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM conversations c
    WHERE ${toStartedBySql(userId)} AND last_seq > 0 AND created_at > ${since} AND updated_at > ${since}
    ORDER BY created_at`;
  return {
    joinedAt: person.created_at,
    isVerified: person.usc_verified,
    startedAt: started.map(({ created_at }) => created_at),
  };
};

/**
 * Lists, in ascending order, the times since the given time at which the person started conversations with a first
 * message that shares most trigrams with the given text. In a conversation that began with an offer, the message
 * follows the event line of the offer. An unsent message counts, because its text is gone.
 */
export const listSimilarFirstMessages = async (
  tx: Queryable,
  {
    userId,
    text,
    since,
    similarityThreshold,
  }: { userId: string; text: string; since: Date; similarityThreshold: number },
): Promise<Date[]> => {
  const rows = await tx<{ created_at: Date }[]>`
    SELECT c.created_at FROM conversations c
    WHERE ${toStartedBySql(userId)} AND c.last_seq > 0 AND c.created_at > ${since} AND c.updated_at > ${since}
      AND EXISTS (
        SELECT FROM messages m
        WHERE m.conversation_id = c.id AND m.seq <= 2 AND m.sender_id = ${userId} AND m.kind = 'text'
          AND (m.unsent_number IS NOT NULL OR similarity(m.message_text, ${text}) >= ${similarityThreshold}))
    ORDER BY c.created_at`;
  return rows.map(({ created_at }) => created_at);
};

/**
 * Inserts a conversation. Does nothing when it exists already, or when the listing or the buyer was deleted in the
 * meantime.
 */
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

/**
 * Returns the parties of a conversation, its newest message sequence number (seq) and how many of its messages were unsent.
 * Returns undefined when the person is not one of the parties.
 */
export const findConversationParties = async (
  sql: Queryable,
  { id, userId }: ConversationPartyIds,
): Promise<(ConversationPartiesRow & ConversationProgressRow) | undefined> => {
  const [row] = await sql<(ConversationPartiesRow & ConversationProgressRow)[]>`
    SELECT buyer_id, seller_id, last_seq, ${toUnsentCountSql(id)} AS unsent_count FROM conversations
    WHERE id = ${id} AND (buyer_id = ${userId} OR seller_id = ${userId})`;
  return row;
};

/**
 * Takes the email to the seller about the first message, which succeeds once per conversation, and returns its
 * contents. If the conversation began with an offer, they include the message that came with the offer. Returns
 * undefined when the email was taken before or is not due (there is no message yet, or the seller wrote first).
 */
export const takeFirstMessageEmail = async (
  sql: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<FirstMessageEmailRow | undefined> => {
  const [row] = await sql<FirstMessageEmailRow[]>`
    UPDATE conversations c SET seller_told_at = ${now}
    FROM messages m, users s, users b
    WHERE c.id = ${id} AND c.seller_told_at IS NULL
      AND m.conversation_id = c.id AND m.seq = 1 AND m.sender_id = c.buyer_id
      AND s.id = c.seller_id AND b.id = c.buyer_id
    RETURNING s.email_messages AS wanted, s.email AS seller_email, s.full_name AS seller_full_name,
      b.display_name AS buyer_name, c.listing_title, c.last_seq AS to_seq,
      m.kind = 'text' OR EXISTS (
        SELECT FROM messages WHERE conversation_id = c.id AND seq = 2 AND kind = 'text' AND sender_id = c.buyer_id
      ) AS is_written,
      concat_ws(E'\\n\\n', m.message_text, (
        SELECT message_text FROM messages WHERE m.kind <> 'text' AND conversation_id = c.id AND seq = 2 AND kind = 'text'
          AND sender_id = c.buyer_id)) AS message_text`;
  return row;
};

/** Lists the ids of those parties of a conversation whose accounts still exist. */
export const listPartyIds = async (sql: Queryable, id: string): Promise<string[]> => {
  const [row] = await sql<
    ConversationPartiesRow[]
  >`SELECT buyer_id, seller_id FROM conversations WHERE id = ${id}`;
  return [row?.buyer_id, row?.seller_id].filter((party) => typeof party === 'string');
};

/** Lists the newest message sequence number (seq) of each of these conversations, and how many messages were unsent. */
export const listProgress = async (
  sql: Queryable,
  ids: readonly string[],
): Promise<(ConversationProgressRow & { id: string })[]> =>
  sql<(ConversationProgressRow & { id: string })[]>`
    SELECT id, last_seq, ${toUnsentCountSql(fragment`conversations.id`)} AS unsent_count
    FROM conversations WHERE id = ANY (${[...ids]}::uuid[])`;
