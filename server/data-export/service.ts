import { createProblem } from '#contract/errors.ts';
import type { ExportedMessage, ExportedReview, OwnData } from '#contract/own-data.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Streamable, writeJson } from '#server/platform/json/json-writer.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { presentCampusAddress } from '#server/profiles/public.ts';
import * as repository from './repository.ts';

/** Number of rows per query; limits the memory that a slow download uses. */
const rowsPerQuery = 500;
const idsPerQuery = 100;
/** An id that sorts before all other ids. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

interface DataExportDeps {
  sql: Sql;
  clock: Clock;
  publicUrl: string;
  readNotificationSettings(userId: string): Promise<OwnData['settings']['notifications']>;
}

/** Throws when the session has ended; called before each query. */
type AssertSessionActive = () => Promise<void>;

type ExportedData = {
  [Part in keyof OwnData]: Streamable<OwnData[Part]>;
};

/** Creates the service that streams everything stored about a person as JSON, without holding all of it in memory. */
export const createDataExportService = ({
  sql,
  clock,
  publicUrl,
  readNotificationSettings,
}: DataExportDeps) => {
  const absoluteUrl = (path: string): string => `${publicUrl}${path}`;

  async function* readInPages<Row>(
    ids: readonly string[],
    read: (ids: string[]) => Promise<readonly Row[]>,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<Row> {
    for (let start = 0; start < ids.length; start += idsPerQuery) {
      await assertSession();
      yield* await read(ids.slice(start, start + idsPerQuery));
    }
  }

  async function* exportPhotos(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['photos'][0]> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      await assertSession();
      const rows = await repository.listPhotos(sql, userId, after, rowsPerQuery);
      for (const { url, bucket, width, height, created_at } of rows) {
        yield { url: absoluteUrl(url), bucket, width, height, uploaded_at: created_at.toISOString() };
      }
      after = rows.at(-1)?.url;
    }
  }

  async function* exportListings(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['listings'][0]> {
    const ids = await repository.listListingIds(sql, userId);
    const read = (page: string[]) => repository.listListings(sql, userId, page);
    for await (const row of readInPages(ids, read, assertSession)) {
      yield {
        // The query selects exactly the fields of `exportedListingSchema`.
        ...row,
        photos: row.photos.map(absoluteUrl),
        hidden_at: row.hidden_at?.toISOString() ?? null,
        draw_closes_at: row.draw_closes_at?.toISOString() ?? null,
        sold_at: row.sold_at?.toISOString() ?? null,
        sale_confirmed_at: row.sale_confirmed_at?.toISOString() ?? null,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        published_at: row.published_at?.toISOString() ?? null,
      };
    }
  }

  async function* exportReviews(
    userId: string,
    side: 'written' | 'received',
    assertSession: AssertSessionActive,
  ): AsyncGenerator<ExportedReview> {
    const ids = await repository.listReviewIds(sql, userId, { side, now: clock.now() });
    const read = (page: string[]) => repository.listReviews(sql, userId, page);
    for await (const row of readInPages(ids, read, assertSession)) {
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

  async function* exportForms(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['forms'][0]> {
    const ids = await repository.listFormIds(sql, userId);
    const read = (page: string[]) => repository.listFormSubmissions(sql, userId, page);
    for await (const { kind, content, created_at, done_at } of readInPages(ids, read, assertSession)) {
      yield { kind, sent_at: created_at.toISOString(), content, done_at: done_at?.toISOString() ?? null };
    }
  }

  async function* exportMessages(
    userId: string,
    conversationId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<ExportedMessage> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      await assertSession();
      const rows = await repository.listMessages(sql, conversationId, after, rowsPerQuery);
      for (const { sender_id, kind, message_text, data, created_at } of rows) {
        const from = sender_id === userId ? 'you' : kind === 'system' ? 'system' : 'other';
        yield { from, kind, text: message_text, step: data, sent_at: created_at.toISOString() };
      }
      after = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.seq;
    }
  }

  async function* exportConversations(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<Streamable<OwnData['conversations'][0]>> {
    const ids = await repository.listConversationIds(sql, userId);
    const read = (page: string[]) => repository.listConversations(sql, userId, page);
    for await (const row of readInPages(ids, read, assertSession)) {
      yield {
        id: row.id,
        listing: row.listing_title,
        you_are: row.buyer_id === userId ? 'buyer' : 'seller',
        with: row.other_name,
        began_at: row.created_at.toISOString(),
        read_messages: row.read_messages,
        last_seen_at: row.last_seen_at?.toISOString() ?? null,
        messages: exportMessages(userId, row.id, assertSession),
      };
    }
  }

  async function* exportDeals(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['deals'][0]> {
    const ids = await repository.listDealIds(sql, userId);
    const read = (page: string[]) => repository.listDeals(sql, userId, page);
    // JSON has no dates: this converts them to ISO 8601, also those in arrays.
    for await (const row of readInPages(ids, read, assertSession)) yield JSON.parse(JSON.stringify(row));
  }

  async function* exportSavedListings(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['saved_listings'][0]> {
    await assertSession();
    for (const { saved_at, ...row } of await repository.listSavedListings(sql, userId))
      yield { ...row, saved_at: saved_at.toISOString() };
  }

  async function* exportSavedSearches(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['saved_searches'][0]> {
    await assertSession();
    for (const row of await repository.listSavedSearches(sql, userId))
      yield {
        ...row,
        created_at: row.created_at.toISOString(),
        visited_at: row.visited_at.toISOString(),
        announced_at: row.announced_at?.toISOString() ?? null,
      };
  }

  async function* exportNotifications(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['notifications'][0]> {
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

  async function* exportEvents(
    userId: string,
    assertSession: AssertSessionActive,
  ): AsyncGenerator<OwnData['security_events'][0]> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      await assertSession();
      const rows = await repository.listSecurityEvents(sql, userId, after, rowsPerQuery);
      for (const { at, event, detail } of rows) yield { at: at.toISOString(), event, detail };
      after = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.id;
    }
  }

  return {
    /**
     * Starts the export and returns the chunks of its JSON; throws not_authenticated when the account no longer exists.
     */
    read: async (userId: string, assertSession: AssertSessionActive): Promise<AsyncGenerator<string>> => {
      const person = await repository.findPerson(sql, userId);
      if (!person) throw createProblem('not_authenticated');
      const sessions = await repository.listSessions(sql, userId);
      const devices = await repository.listDevices(sql, userId);
      const data: ExportedData = {
        exported_at: clock.now().toISOString(),
        site: publicUrl,
        profile: {
          id: person.id,
          email: person.email,
          full_name: person.full_name,
          role: person.role,
          bio: person.bio,
          is_bio_public: person.is_bio_public,
          avatar_url: person.avatar_url && absoluteUrl(person.avatar_url),
          usc_verified: person.usc_verified,
          campus_address: presentCampusAddress(person),
          created_at: person.created_at.toISOString(),
          updated_at: person.updated_at.toISOString(),
        },
        settings: {
          email_messages: person.email_messages,
          show_full_name: person.show_full_name,
          notifications: await readNotificationSettings(userId),
        },
        account: {
          confirmed_at: person.confirmed_at?.toISOString() ?? null,
          credentials_changed_at: person.credentials_changed_at.toISOString(),
          suspended_at: person.suspended_at?.toISOString() ?? null,
          badge_removed_at: person.badge_removed_at?.toISOString() ?? null,
        },
        sessions: sessions.map(({ method, created_at, last_used_at }) => ({
          method,
          began_at: created_at.toISOString(),
          last_used_at: last_used_at.toISOString(),
        })),
        devices: devices.map(({ first_used_at, last_used_at }) => ({
          first_used_at: first_used_at.toISOString(),
          last_used_at: last_used_at.toISOString(),
        })),
        photos: exportPhotos(userId, assertSession),
        listings: exportListings(userId, assertSession),
        reviews_written: exportReviews(userId, 'written', assertSession),
        reviews_received: exportReviews(userId, 'received', assertSession),
        forms: exportForms(userId, assertSession),
        conversations: exportConversations(userId, assertSession),
        saved_listings: exportSavedListings(userId, assertSession),
        saved_searches: exportSavedSearches(userId, assertSession),
        notifications: exportNotifications(userId, assertSession),
        deals: exportDeals(userId, assertSession),
        security_events: exportEvents(userId, assertSession),
      };
      return writeJson(data);
    },
  };
};

export type DataExportService = ReturnType<typeof createDataExportService>;
