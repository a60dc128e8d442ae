import { buildMessagePhotoPath } from '#contract/conversations.ts';
import type { ExportedMessage, ExportedReview, PersonalDataExport } from '#contract/data-export.ts';
import { toMessagePhotoId } from '#server/features/photos/public.ts';
import type { Streamable } from '#server/platform/json/json-writer.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Number of rows per query. It limits the memory that a slow download uses. */
const rowsPerQuery = 500;
const idsPerQuery = 100;
/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** The parts of the export that can have any number of rows. */
export type ExportedLists = {
  [Part in
    | 'photos'
    | 'listings'
    | 'reviews_written'
    | 'reviews_received'
    | 'forms'
    | 'reports'
    | 'decisions'
    | 'conversations'
    | 'blocked_people'
    | 'saved_listings'
    | 'saved_searches'
    | 'wanted_posts'
    | 'notifications'
    | 'deals'
    | 'security_events']: Streamable<PersonalDataExport[Part]>;
};

export interface ListExportOptions {
  sql: Sql;
  userId: string;
  /** The current time; reviews of the person that become public after it are not exported. */
  now: Date;
  /** Throws when the session has ended. Called before each query. */
  assertSession(): Promise<void>;
  /** Whether the person can open links to photos that need a session. */
  canLogIn: boolean;
  /** Returns the absolute URL of a path of this site. */
  absoluteUrl(path: string): string;
}

async function* readInPages<Row>(
  { assertSession }: ListExportOptions,
  ids: readonly string[],
  read: (ids: string[]) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    await assertSession();
    yield* await read(ids.slice(start, start + idsPerQuery));
  }
}

/** Returns the path at which the person can read a photo, or null for one that nobody or only a session can read. */
const findPhotoPath = (
  { bucket, path, url, conversation_id: conversationId }: repository.ExportedPhotoRow,
  canLogIn: boolean,
): string | null => {
  if (bucket !== 'message-photos') return url;
  if (!canLogIn) return null;
  // A photo that was uploaded for a message and not sent has no address.
  return conversationId && buildMessagePhotoPath(conversationId, toMessagePhotoId(path));
};

async function* exportPhotos({
  sql,
  userId,
  assertSession,
  canLogIn,
  absoluteUrl,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['photos'][0]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    await assertSession();
    const rows = await repository.listPhotos(sql, userId, after, rowsPerQuery);
    for (const row of rows) {
      const { bucket, width, height, created_at } = row;
      const path = findPhotoPath(row, canLogIn);
      const url = path === null ? null : absoluteUrl(path);
      yield { url, bucket, width, height, uploaded_at: created_at.toISOString() };
    }
    after = rows.at(-1)?.url;
  }
}

async function* exportListings(
  options: ListExportOptions,
): AsyncGenerator<PersonalDataExport['listings'][0]> {
  const { sql, userId, absoluteUrl } = options;
  const ids = await repository.listListingIds(sql, userId);
  const read = (page: string[]) => repository.listListings(sql, userId, page);
  for await (const row of readInPages(options, ids, read)) {
    yield {
      // The query selects exactly the fields of `exportedListingSchema`, so spreading the row exports nothing else.
      ...row,
      photos: row.photos.map(absoluteUrl),
      hidden_at: row.hidden_at?.toISOString() ?? null,
      draw_closes_at: row.draw_closes_at?.toISOString() ?? null,
      confirmed_at: row.confirmed_at?.toISOString() ?? null,
      asked_at: row.asked_at?.toISOString() ?? null,
      sold_at: row.sold_at?.toISOString() ?? null,
      sale_confirmed_at: row.sale_confirmed_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      published_at: row.published_at?.toISOString() ?? null,
    };
  }
}

async function* exportReviews(
  options: ListExportOptions,
  side: 'written' | 'received',
): AsyncGenerator<ExportedReview> {
  const { sql, userId, now } = options;
  const ids = await repository.listReviewIds(sql, userId, { side, now });
  const read = (page: string[]) => repository.listReviews(sql, userId, page);
  for await (const row of readInPages(options, ids, read)) {
    yield {
      rating: row.rating,
      tags: row.tags,
      text: row.review_text,
      written_at: row.created_at.toISOString(),
      changed_at: row.updated_at.toISOString(),
      public_at: row.public_at.toISOString(),
      removed_at: row.removed_at?.toISOString() ?? null,
    };
  }
}

async function* exportForms(options: ListExportOptions): AsyncGenerator<PersonalDataExport['forms'][0]> {
  const { sql, userId } = options;
  const ids = await repository.listFormIds(sql, userId);
  const read = (page: string[]) => repository.listFormSubmissions(sql, userId, page);
  for await (const { kind, content, created_at, done_at } of readInPages(options, ids, read)) {
    yield { kind, sent_at: created_at.toISOString(), content, done_at: done_at?.toISOString() ?? null };
  }
}

async function* exportReports(options: ListExportOptions): AsyncGenerator<PersonalDataExport['reports'][0]> {
  const { sql, userId } = options;
  const ids = await repository.listReportIds(sql, userId);
  const read = (page: string[]) => repository.listReports(sql, userId, page);
  for await (const { report_text, created_at, ...report } of readInPages(options, ids, read)) {
    yield { ...report, text: report_text, reported_at: created_at.toISOString() };
  }
}

async function* exportDecisions(
  options: ListExportOptions,
): AsyncGenerator<PersonalDataExport['decisions'][0]> {
  const { sql, userId } = options;
  const ids = await repository.listDecisionIds(sql, userId);
  const read = (page: string[]) => repository.listDecisions(sql, userId, page);
  for await (const row of readInPages(options, ids, read)) {
    yield {
      subject: row.subject,
      action: row.action,
      reason: row.reason,
      days: row.days,
      decided_at: row.applied_at.toISOString(),
      reversed_at: row.restored_at?.toISOString() ?? null,
      appeal:
        row.appeal_text === null || row.appealed_at === null
          ? null
          : {
              text: row.appeal_text,
              sent_at: row.appealed_at.toISOString(),
              decided_at: row.decided_at?.toISOString() ?? null,
              is_granted: row.is_granted,
            },
    };
  }
}

async function* exportMessages(
  { sql, userId, assertSession, canLogIn, absoluteUrl }: ListExportOptions,
  conversationId: string,
): AsyncGenerator<ExportedMessage> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    await assertSession();
    const rows = await repository.listMessages(sql, conversationId, after, rowsPerQuery);
    for (const row of rows) {
      const { sender_id, kind, message_text, data, created_at, photos } = row;
      const from = sender_id === userId ? 'you' : kind === 'system' ? 'system' : 'other';
      // The photos of a deleted account are deleted.
      const urls = sender_id === null || !canLogIn ? [] : (photos ?? []);
      yield {
        from,
        kind,
        text: message_text,
        step: data,
        photos: urls.map((id) => absoluteUrl(buildMessagePhotoPath(conversationId, id))),
        reply_to: row.reply_to_seq,
        is_unsent: row.unsent_number !== null,
        sent_at: created_at.toISOString(),
      };
    }
    after = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.seq;
  }
}

async function* exportConversations(
  options: ListExportOptions,
): AsyncGenerator<Streamable<PersonalDataExport['conversations'][0]>> {
  const { sql, userId } = options;
  const ids = await repository.listConversationIds(sql, userId);
  const read = (page: string[]) => repository.listConversations(sql, userId, page);
  for await (const row of readInPages(options, ids, read)) {
    yield {
      id: row.id,
      listing: row.listing_title,
      you_are: row.buyer_id === userId ? 'buyer' : 'seller',
      with: row.other_name,
      began_at: row.created_at.toISOString(),
      read_messages: row.read_messages,
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      archived_messages: row.archived_messages,
      muted_until: row.muted_until?.toISOString() ?? null,
      marked_unread: row.marked_unread,
      messages: exportMessages(options, row.id),
    };
  }
}

async function* exportDeals(options: ListExportOptions): AsyncGenerator<PersonalDataExport['deals'][0]> {
  const { sql, userId } = options;
  const ids = await repository.listDealIds(sql, userId);
  const read = (page: string[]) => repository.listDeals(sql, userId, page);
  // Convert the dates to ISO 8601 strings, also those in arrays.
  for await (const row of readInPages(options, ids, read)) yield JSON.parse(JSON.stringify(row));
}

async function* exportBlockedPeople({
  sql,
  userId,
  assertSession,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['blocked_people'][0]> {
  await assertSession();
  for (const { blocked_at, ...row } of await repository.listBlockedPeople(sql, userId))
    yield { ...row, blocked_at: blocked_at.toISOString() };
}

async function* exportSavedListings({
  sql,
  userId,
  assertSession,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['saved_listings'][0]> {
  await assertSession();
  for (const { saved_at, ...row } of await repository.listSavedListings(sql, userId))
    yield { ...row, saved_at: saved_at.toISOString() };
}

async function* exportSavedSearches({
  sql,
  userId,
  assertSession,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['saved_searches'][0]> {
  await assertSession();
  for (const row of await repository.listSavedSearches(sql, userId))
    yield {
      ...row,
      created_at: row.created_at.toISOString(),
      visited_at: row.visited_at.toISOString(),
      announced_at: row.announced_at?.toISOString() ?? null,
    };
}

async function* exportWantedPosts(
  options: ListExportOptions,
): AsyncGenerator<PersonalDataExport['wanted_posts'][0]> {
  const { sql, userId } = options;
  const ids = await repository.listWantedPostIds(sql, userId);
  const read = (page: string[]) => repository.listWantedPosts(sql, userId, page);
  for await (const row of readInPages(options, ids, read))
    yield {
      ...row,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      closed_at: row.closed_at?.toISOString() ?? null,
      hidden_at: row.hidden_at?.toISOString() ?? null,
    };
}

async function* exportNotifications({
  sql,
  userId,
  assertSession,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['notifications'][0]> {
  let after: { createdAt: Date; id: string } | undefined = { createdAt: new Date(0), id: nilUuid };
  while (after) {
    await assertSession();
    const rows = await repository.listNotifications(sql, userId, after, rowsPerQuery);
    for (const { id: _, created_at, read_at, ...row } of rows)
      yield { ...row, created_at: created_at.toISOString(), read_at: read_at?.toISOString() ?? null };
    const last = rows.length < rowsPerQuery ? undefined : rows.at(-1);
    after = last && { createdAt: last.created_at, id: last.id };
  }
}

async function* exportEvents({
  sql,
  userId,
  assertSession,
}: ListExportOptions): AsyncGenerator<PersonalDataExport['security_events'][0]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    await assertSession();
    const rows = await repository.listSecurityEvents(sql, userId, after, rowsPerQuery);
    for (const { at, event, detail } of rows) yield { at: at.toISOString(), event, detail };
    after = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.id;
  }
}

/** Returns the long lists of a person's data. Their rows are read while they are iterated, one page at a time. */
export const openExportedLists = (options: ListExportOptions): ExportedLists => ({
  photos: exportPhotos(options),
  listings: exportListings(options),
  reviews_written: exportReviews(options, 'written'),
  reviews_received: exportReviews(options, 'received'),
  forms: exportForms(options),
  reports: exportReports(options),
  decisions: exportDecisions(options),
  conversations: exportConversations(options),
  blocked_people: exportBlockedPeople(options),
  saved_listings: exportSavedListings(options),
  saved_searches: exportSavedSearches(options),
  wanted_posts: exportWantedPosts(options),
  notifications: exportNotifications(options),
  deals: exportDeals(options),
  security_events: exportEvents(options),
});
