import { type ExportedListing, exportedListingSchema } from '#contract/own-data.ts';
import type { Bucket } from '#contract/photos.ts';
import type { Role } from '#contract/profiles.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

export interface PersonRow {
  id: string;
  email: string;
  full_name: string | null;
  role: Role | null;
  bio: string | null;
  avatar_url: string | null;
  usc_verified: boolean;
  email_messages: boolean;
  show_full_name: boolean;
  confirmed_at: Date | null;
  suspended_at: Date | null;
  credentials_changed_at: Date;
  created_at: Date;
  updated_at: Date;
}

type InstantField = 'created_at' | 'updated_at' | 'published_at' | 'hidden_at';
export type ExportedListingRow = Omit<ExportedListing, InstantField> & {
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
  hidden_at: Date | null;
};

export interface ExportedConversationRow {
  id: string;
  listing_title: string;
  buyer_id: string | null;
  other_name: string | null;
  created_at: Date;
  read_messages: number;
  last_seen_at: Date | null;
}

export const findPerson = async (sql: Sql, userId: string): Promise<PersonRow | undefined> => {
  const [person] = await sql<PersonRow[]>`
    SELECT u.id, u.email, u.full_name, u.role, u.bio, u.avatar_url, u.usc_verified, u.email_messages,
      u.show_full_name, u.created_at, u.updated_at, c.confirmed_at, c.suspended_at,
      c.updated_at AS credentials_changed_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id WHERE u.id = ${userId}`;
  return person;
};

export const listSessions = (sql: Sql, userId: string) =>
  sql<{ method: string; created_at: Date; last_used_at: Date }[]>`
    SELECT method, created_at, last_used_at FROM private.sessions WHERE user_id = ${userId} ORDER BY created_at`;

export const listDevices = (sql: Sql, userId: string) =>
  sql<{ first_used_at: Date; last_used_at: Date }[]>`
    SELECT first_used_at, last_used_at FROM private.known_devices WHERE user_id = ${userId} ORDER BY first_used_at`;

/** Lists photos ordered by URL, after a given URL. */
export const listPhotos = (sql: Sql, userId: string, after: string, limit: number) =>
  sql<{ url: string; bucket: Bucket; width: number; height: number; created_at: Date }[]>`
    SELECT url, bucket, width, height, created_at FROM private.objects
    WHERE owner_id = ${userId} AND url > ${after} ORDER BY url LIMIT ${limit}`;

const pluckIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Lists the ids of a person's listings, newest first. */
export const listListingIds = async (sql: Sql, userId: string): Promise<string[]> =>
  pluckIds(
    await sql<{ id: string }[]>`
      SELECT id FROM listings WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`,
  );

/** Lists those of these listings that still exist, newest first. */
export const listListings = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedListingRow[]>`
    SELECT ${sql(Object.keys(exportedListingSchema.shape))} FROM listings
    WHERE id = ANY (${ids}) AND user_id = ${userId} ORDER BY created_at DESC, id DESC`;

/** Lists the ids of the forms that a person sent, oldest first. */
export const listFormIds = async (sql: Sql, userId: string): Promise<string[]> =>
  pluckIds(
    await sql<{ id: string }[]>`
      SELECT id FROM private.forms WHERE user_id = ${userId} ORDER BY created_at, id`,
  );

/**
 * Lists those of these forms that still exist, oldest first, with the names of their attachments but without storage
 * keys.
 */
export const listForms = (sql: Sql, userId: string, ids: string[]) =>
  sql<{ kind: string; content: Record<string, unknown>; created_at: Date; done_at: Date | null }[]>`
    SELECT kind, content #- '{resume,key}' AS content, created_at, done_at
    FROM private.forms WHERE id = ANY (${ids}) AND user_id = ${userId} ORDER BY created_at, id`;

/** Lists the ids of the conversations that a person can see, oldest first. */
export const listConversationIds = async (sql: Sql, userId: string): Promise<string[]> =>
  pluckIds(
    await sql<{ id: string }[]>`
      SELECT id FROM conversations
      WHERE buyer_id = ${userId} OR (seller_id = ${userId} AND last_seq > 0)
      ORDER BY created_at, id`,
  );

/** Lists those of these conversations of which this person is still a party, oldest first. */
export const listConversations = (sql: Sql, userId: string, ids: string[]) =>
  sql<ExportedConversationRow[]>`
    SELECT c.id, coalesce(l.title, c.listing_title) AS listing_title, c.buyer_id, o.display_name AS other_name,
      c.created_at,
      CASE WHEN c.buyer_id = ${userId} THEN c.buyer_read_seq ELSE c.seller_read_seq END AS read_messages,
      CASE WHEN c.buyer_id = ${userId} THEN c.buyer_seen_at ELSE c.seller_seen_at END AS last_seen_at
    FROM conversations c
    LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
    LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
    WHERE c.id = ANY (${ids}) AND (c.buyer_id = ${userId} OR c.seller_id = ${userId})
    ORDER BY c.created_at, c.id`;

/** Lists messages after a seq, oldest first. */
export const listMessages = (sql: Sql, conversationId: string, afterSeq: number, limit: number) =>
  sql<{ seq: number; sender_id: string | null; message_text: string; created_at: Date }[]>`
    SELECT seq, sender_id, message_text, created_at FROM messages
    WHERE conversation_id = ${conversationId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`;

/** Lists security events after the one with the given id, oldest first. */
export const listSecurityEvents = (sql: Sql, userId: string, after: number, limit: number) =>
  sql<{ id: number; at: Date; event: string; detail: string | null }[]>`
    SELECT id, at, event, detail FROM private.security_events
    WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`;
