import { problem } from '#contract/errors.ts';
import type { ExportedMessage, OwnData } from '#contract/own-data.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Unfolding, writeJson } from '#server/platform/json/json-writer.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Number of rows per query; limits the memory that a slow download uses. */
const rowsPerQuery = 500;
const idsPerQuery = 100;

interface OwnDataDeps {
  sql: Sql;
  clock: Clock;
  publicUrl: string;
}

/** Throws when the session has ended; called before each query. */
type AssertSession = () => Promise<void>;

type ExportedData = {
  [Part in keyof OwnData]: Unfolding<OwnData[Part]>;
};

/** Creates the service that streams everything stored about a person as JSON, without holding all of it in memory. */
export const createDataExport = ({ sql, clock, publicUrl }: OwnDataDeps) => {
  const absoluteUrl = (path: string): string => `${publicUrl}${path}`;

  async function* readInPages<Row>(
    ids: readonly string[],
    read: (ids: string[]) => Promise<readonly Row[]>,
    assertSession: AssertSession,
  ): AsyncGenerator<Row> {
    for (let start = 0; start < ids.length; start += idsPerQuery) {
      await assertSession();
      yield* await read(ids.slice(start, start + idsPerQuery));
    }
  }

  async function* exportPhotos(
    userId: string,
    assertSession: AssertSession,
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
    assertSession: AssertSession,
  ): AsyncGenerator<OwnData['listings'][0]> {
    const ids = await repository.listListingIds(sql, userId);
    const read = (page: string[]) => repository.listListings(sql, userId, page);
    for await (const row of readInPages(ids, read, assertSession)) {
      yield {
        // The query selects exactly the fields of the contract.
        ...row,
        photos: row.photos.map(absoluteUrl),
        hidden_at: row.hidden_at?.toISOString() ?? null,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        published_at: row.published_at?.toISOString() ?? null,
      };
    }
  }

  async function* exportForms(
    userId: string,
    assertSession: AssertSession,
  ): AsyncGenerator<OwnData['forms'][0]> {
    const ids = await repository.listFormIds(sql, userId);
    const read = (page: string[]) => repository.listForms(sql, userId, page);
    for await (const { kind, content, created_at, done_at } of readInPages(ids, read, assertSession)) {
      yield { kind, sent_at: created_at.toISOString(), content, done_at: done_at?.toISOString() ?? null };
    }
  }

  async function* exportMessages(
    userId: string,
    conversationId: string,
    assertSession: AssertSession,
  ): AsyncGenerator<ExportedMessage> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      await assertSession();
      const rows = await repository.listMessages(sql, conversationId, after, rowsPerQuery);
      for (const { sender_id, message_text, created_at } of rows) {
        const from = sender_id === userId ? 'you' : 'other';
        yield { from, text: message_text, sent_at: created_at.toISOString() };
      }
      after = rows.length < rowsPerQuery ? undefined : rows.at(-1)?.seq;
    }
  }

  async function* exportConversations(
    userId: string,
    assertSession: AssertSession,
  ): AsyncGenerator<Unfolding<OwnData['conversations'][0]>> {
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

  async function* exportEvents(
    userId: string,
    assertSession: AssertSession,
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
    read: async (userId: string, assertSession: AssertSession): Promise<AsyncGenerator<string>> => {
      const person = await repository.findPerson(sql, userId);
      if (!person) throw problem('not_authenticated');
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
          avatar_url: person.avatar_url && absoluteUrl(person.avatar_url),
          usc_verified: person.usc_verified,
          created_at: person.created_at.toISOString(),
          updated_at: person.updated_at.toISOString(),
        },
        settings: { email_messages: person.email_messages, show_full_name: person.show_full_name },
        account: {
          confirmed_at: person.confirmed_at?.toISOString() ?? null,
          credentials_changed_at: person.credentials_changed_at.toISOString(),
          suspended_at: person.suspended_at?.toISOString() ?? null,
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
        forms: exportForms(userId, assertSession),
        conversations: exportConversations(userId, assertSession),
        security_events: exportEvents(userId, assertSession),
      };
      return writeJson(data);
    },
  };
};

export type DataExport = ReturnType<typeof createDataExport>;
