import { createHash } from 'node:crypto';
import type { Category } from '#contract/categories.ts';
import { photoMessageText } from '#contract/conversations.ts';
import { type PublicContent, publicContentFields } from '#contract/listings.ts';
import type { ReportedContent } from '#contract/moderation.ts';
import { toPublicFileUrl } from '#contract/photos.ts';
import { quotedMessagesPerSide, type ReportSubjectType } from '#contract/reports.ts';
import { toKnownPersonSql } from '#server/features/accounts/sql.ts';
import { withdrawnCondition } from '#server/features/listing-visibility/sql.ts';
import { buildMessagePhotoObjectPath } from '#server/features/photos/sql.ts';
import { iterateRows } from '#server/platform/postgres/cursor.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import { toListingVersion } from './listing-version.ts';

/**
 * A listing, person, message or wanted post that is reported, in its current state. The functions that find one prevent the deletion of
 * its person's account until the transaction ends.
 */
export interface QuotedSubject {
  subject: ReportSubjectType;
  /** The id of the listing, the message or the wanted post, or null when the subject is the person. */
  subjectId: string | null;
  /** The owner of the reported listing or post, the sender of the reported message, or the reported person. */
  personId: string;
  /** The title of the listing or the name of the person. */
  title: string;
  content: ReportedContent;
  photos: string[];
  /** The version of the listing that is quoted, or null when the subject is no listing. */
  listingVersion: string | null;
}

/** Returns a digest of photo URLs, which contain account ids and are therefore not stored themselves. */
const toPhotosDigest = (urls: readonly string[]): string =>
  createHash('sha256').update(urls.join('\n')).digest('hex').slice(0, 16);

/** Finds a listing that has not been deleted; if `isPublic` is true, only a listing that everybody can see. */
export const findQuotedListing = async (
  tx: Queryable,
  id: string,
  { isPublic }: { isPublic: boolean },
): Promise<QuotedSubject | undefined> => {
  const [row] = await tx<(PublicContent & { user_id: string })[]>`
    SELECT l.user_id, ${columnList(publicContentFields.map((field) => `l.${field}`))}
    FROM listings l JOIN users u ON u.id = l.user_id
    WHERE l.id = ${id} AND l.deleted_at IS NULL
      AND (NOT ${isPublic} OR (l.hidden_at IS NULL AND (l.status IN ('published', 'sold') OR ${withdrawnCondition})))
    FOR KEY SHARE OF u`;
  if (!row) return undefined;
  const { user_id: personId, photos, ...content } = row;
  return {
    subject: 'listing',
    subjectId: id,
    personId,
    title: row.title ?? '',
    content: { subject: 'listing', ...content, photos_digest: toPhotosDigest(photos) },
    photos,
    listingVersion: toListingVersion(row),
  };
};

/** Finds a person whose account is confirmed. With `knownTo`, finds only an account of which that person can know. */
export const findQuotedUser = async (
  tx: Queryable,
  id: string,
  { knownTo }: { knownTo?: string } = {},
): Promise<QuotedSubject | undefined> => {
  const isFound =
    knownTo === undefined ? fragment`c.confirmed_at IS NOT NULL` : toKnownPersonSql(fragment`c`, knownTo);
  const [row] = await tx<{ name: string; bio: string | null; avatar_url: string | null }[]>`
    SELECT u.display_name AS name, u.bio, u.avatar_url FROM users u JOIN private.credentials c ON c.user_id = u.id
    WHERE u.id = ${id} AND ${isFound} FOR KEY SHARE OF u`;
  if (!row) return undefined;
  const { name, bio, avatar_url: avatar } = row;
  const photos = avatar === null ? [] : [avatar];
  return {
    subject: 'user',
    subjectId: null,
    personId: id,
    title: name,
    content: { subject: 'user', name, bio, photos_digest: toPhotosDigest(photos) },
    photos,
    listingVersion: null,
  };
};

/** Finds a wanted post; if `isPublic` is true, only one that is not taken down. */
export const findQuotedWantedPost = async (
  tx: Queryable,
  id: string,
  { isPublic }: { isPublic: boolean },
): Promise<QuotedSubject | undefined> => {
  const [row] = await tx<{ user_id: string; title: string; category: Category; max_price: number | null }[]>`
    SELECT w.user_id, w.title, w.category, w.max_price FROM wanted_posts w JOIN users u ON u.id = w.user_id
    WHERE w.id = ${id} AND NOT (${isPublic} AND w.hidden_at IS NOT NULL) FOR KEY SHARE OF u`;
  if (!row) return undefined;
  const { user_id: personId, ...content } = row;
  return {
    subject: 'wanted',
    subjectId: id,
    personId,
    title: row.title,
    content: { subject: 'wanted', ...content },
    photos: [],
    listingVersion: null,
  };
};

type QuotedMessageRow = Pick<
  Tables['messages'],
  'id' | 'sender_id' | 'message_text' | 'created_at' | 'photos'
>;

const toQuotedText = ({ message_text: text, photos }: QuotedMessageRow): string =>
  photos === null || text === photoMessageText ? text : `${photoMessageText}: ${text}`;

const listPhotoUrls = (sender: string, photos: readonly string[]): string[] =>
  photos.map((id) => toPublicFileUrl('message-photos', buildMessagePhotoObjectPath(sender, id)));

/**
 * Finds a message with the messages around it; if `readerId` is given, only in a conversation of this person. Leaves out
 * the messages after both the reported one and `untilSeq`. Of photos, quotes only those of the reported message. Only
 * messages that people wrote can be reported, not event lines. The reported message cannot be unsent before the transaction
 * ends, and is not found when it was unsent before.
 */
export const findQuotedMessage = async (
  tx: Queryable,
  id: string,
  { readerId, untilSeq = null }: { readerId: string | null; untilSeq?: number | null | undefined },
): Promise<QuotedSubject | undefined> => {
  const [message] = await tx<
    { conversation_id: string; seq: number; sender_id: string; name: string; listing_title: string }[]
  >`
    SELECT m.conversation_id, m.seq, m.sender_id, u.display_name AS name, c.listing_title
    FROM messages m JOIN conversations c ON c.id = m.conversation_id JOIN users u ON u.id = m.sender_id
    WHERE m.id = ${id} AND m.kind = 'text' AND (${readerId}::uuid IS NULL OR ${readerId} IN (c.buyer_id, c.seller_id))
    FOR KEY SHARE OF u`;
  if (!message) return undefined;
  const around = await tx<QuotedMessageRow[]>`
    WITH reported AS (SELECT * FROM messages WHERE id = ${id} AND unsent_number IS NULL FOR SHARE)
    SELECT id, seq, sender_id, message_text, created_at, photos FROM reported
    UNION ALL
    SELECT id, seq, sender_id, message_text, created_at, photos FROM messages
    WHERE conversation_id = ${message.conversation_id} AND id <> ${id}
      AND seq BETWEEN ${message.seq}::bigint - ${quotedMessagesPerSide} AND ${message.seq}::bigint + ${quotedMessagesPerSide}
      AND (seq <= ${message.seq}::bigint OR seq <= coalesce(${untilSeq}::bigint, seq))
    ORDER BY seq`;
  const reported = around.find((row) => row.id === id);
  if (!reported) return undefined;
  const getAuthor = ({ sender_id: sender }: QuotedMessageRow) => {
    if (sender === null) return 'system';
    return sender === message.sender_id ? 'reported' : 'other';
  };
  return {
    subject: 'message',
    subjectId: id,
    personId: message.sender_id,
    title: message.name,
    content: {
      subject: 'message',
      listing_title: message.listing_title,
      messages: around.map((row) => ({
        from: getAuthor(row),
        text: toQuotedText(row),
        sent_at: row.created_at.toISOString(),
        is_reported: row.id === id,
      })),
    },
    photos: listPhotoUrls(message.sender_id, reported.photos ?? []),
    listingVersion: null,
  };
};

/** Stores a quote, unless the case has the same one already. Returns its id, and whether it is new. */
export const saveQuote = async (
  tx: Queryable,
  { caseId, quoted, now }: { caseId: string; quoted: QuotedSubject; now: Date },
): Promise<{ id: string; isNew: boolean }> => {
  const content = JSON.stringify(quoted.content);
  const [stored] = await tx<{ id: string }[]>`
    INSERT INTO private.moderation_quotes (case_id, content, photo_count, quoted_at)
    VALUES (${caseId}, ${content}::text::jsonb, ${quoted.photos.length}, ${now})
    ON CONFLICT (case_id, md5(content::text)) DO NOTHING RETURNING id`;
  if (stored) return { id: stored.id, isNew: true };
  const [earlier] = await tx<{ id: string }[]>`
    SELECT id FROM private.moderation_quotes WHERE case_id = ${caseId} AND md5(content::text) = md5(${content}::text::jsonb::text)`;
  if (!earlier) throw new Error('The quote of a case has disappeared');
  return { id: earlier.id, isNew: false };
};

export const listExistingQuoteIds = async (sql: Queryable, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<
    { id: string }[]
  >`SELECT id FROM private.moderation_quotes WHERE id::text = ANY (${[...ids]})`;
  return rows.map(({ id }) => id);
};

/** Folder of the file store with the copies of quoted photos. */
export const quotedPhotoFolder = 'moderation';

/** Returns the key of the copy of a quoted photo, which only moderators can read. */
export const toQuotedPhotoKey = (quoteId: string, index: number): string =>
  `${quotedPhotoFolder}/${quoteId}/${index}.jpg`;

/**
 * Iterates over the keys of the copies of all quoted photos. Any of them may be missing, because its owner deleted the
 * photo before it was copied. A database of an older schema has none.
 */
export async function* listQuotedPhotoFiles(
  sql: Queryable,
): AsyncGenerator<{ key: string; derived: boolean }> {
  const [schema] = await sql`SELECT to_regclass('private.moderation_quotes') IS NOT NULL AS has_quotes`;
  if (!schema?.has_quotes) return;
  const quotes = iterateRows<{ id: string; photo_count: number }>(
    sql,
    fragment`SELECT id, photo_count FROM private.moderation_quotes WHERE photo_count > 0`,
  );
  for await (const { id, photo_count: count } of quotes)
    for (let index = 0; index < count; index += 1) yield { key: toQuotedPhotoKey(id, index), derived: true };
}
