import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { type Inbox, inboxPageSize, inboxSchema, messageLength } from '#contract/conversations.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { listInbox, wholeInbox } from './inbox-repository.ts';
import { countUnread } from './message-repository.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let otherPerson: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  otherPerson = await testApp.signIn();
});
afterAll(() => testApp.close());

/**
 * Adds conversations with one unread message each; in every third conversation, the person is the seller. Three
 * conversations share each timestamp.
 */
const addConversations = async ({ userId }: Person, count: number): Promise<void> => {
  await testApp.sql`
    WITH added AS (
      INSERT INTO conversations (listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT 'Desk ' || n, CASE WHEN n % 3 = 0 THEN ${otherPerson.userId}::uuid ELSE ${userId}::uuid END,
        CASE WHEN n % 3 = 0 THEN ${userId}::uuid ELSE ${otherPerson.userId}::uuid END, moment, moment, 1
      FROM generate_series(1, ${count}::int) AS n,
        LATERAL (SELECT ${testApp.clock.now()}::timestamptz - (n / 3) * interval '1 ms' AS moment) AS time
      RETURNING id, created_at
    )
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, 1, ${otherPerson.userId}, gen_random_uuid(), 'Is it still there?', created_at FROM added`;
  await testApp.sql`ANALYZE conversations, messages`;
};

const readInbox = async (person: Person, cursor?: string | null): Promise<Inbox> =>
  (
    await conversationClient.ask(
      person,
      'GET',
      `/rest/v1/conversations${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
  ).body;

test('the inbox returns each conversation exactly once, page by page, the most recently active first', async () => {
  const person = await testApp.signIn();
  await addConversations(person, 120);
  const pages: Inbox[] = [];
  do pages.push(await readInbox(person, pages.at(-1)?.next_cursor));
  while (pages.at(-1)?.next_cursor);
  expect(pages.map(({ items }) => items.length)).toEqual([inboxPageSize, inboxPageSize, 20]);
  for (const page of pages) expect(inboxSchema.strict().parse(page)).toEqual(page);
  const expected = await testApp.sql<{ id: string }[]>`
    SELECT id FROM conversations WHERE ${person.userId} IN (buyer_id, seller_id) ORDER BY updated_at DESC, id`;
  expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(expected.map(({ id }) => id));
});

test('neither the last page nor an empty inbox has a cursor', async () => {
  const person = await testApp.signIn();
  expect(await readInbox(person)).toEqual({ items: [], next_cursor: null });
  await addConversations(person, inboxPageSize);
  expect((await readInbox(person)).next_cursor).toBeNull();
});

test('an invalid cursor is refused', async () => {
  for (const cursor of ['nonsense', Buffer.from('["2026-03-02T18:00:00Z","x"]').toString('base64url')]) {
    const { status, body } = await conversationClient.ask(
      otherPerson,
      'GET',
      `/rest/v1/conversations?cursor=${cursor}`,
    );
    expect(status).toBe(400);
    expect(body.fields).toHaveProperty('cursor');
  }
});

test('a conversation in the inbox contains only the beginning of a long last message', async () => {
  const person = await testApp.signIn();
  const { id } = await conversationClient.begin(person, otherPerson);
  await conversationClient.send(person, id, 'x'.repeat(messageLength.max));
  expect((await readInbox(person)).items[0]?.last_message?.message_text).toBe('x'.repeat(200));
});

test('the unread total includes conversations on all pages', async () => {
  const person = await testApp.signIn();
  await addConversations(person, 120);
  const { body } = await conversationClient.ask(person, 'GET', '/rest/v1/conversations/unread');
  expect(body).toEqual({ unread_total: 120 });
});

/** Returns the number of rows that the database reads while `work` runs. */
const countRowsReadDuring = async (work: (sql: Sql) => Promise<unknown>): Promise<number> => {
  const url = new URL(testApp.databaseUrl);
  // Disable sequential scans: PostgreSQL may prefer one for such a small table while an open transaction keeps VACUUM
  // from cleaning it up. If the index were missing, PostgreSQL would scan the table despite this setting.
  url.searchParams.set('enable_seqscan', 'off');
  return countRowsRead(await explainSentStatements(url.href, work));
};

test('promise 55: an inbox of 5,000 conversations reads no more rows than one of 100', async () => {
  // Disable autovacuum: if it ran between the insertions and the update, the table would become smaller, and PostgreSQL
  // would scan all of it instead of using the index.
  await testApp.sql`ALTER TABLE conversations SET (autovacuum_enabled = off)`;
  const [small, large] = [await testApp.signIn(), await testApp.signIn()];
  await addConversations(small, 100);
  await addConversations(large, 5_000);
  await testApp.sql`
    UPDATE conversations SET buyer_read_seq = 1, seller_read_seq = 1
    WHERE ${large.userId} IN (buyer_id, seller_id) AND listing_title > 'Desk 100'`;
  // Collect statistics of all tables now, because automatic collection could change the query plan between two
  // measurements.
  await testApp.sql`VACUUM ANALYZE`;
  const toReader = (userId: string) => ({
    userId,
    campus: defaultCampus,
    now: testApp.clock.now(),
    today: '2026-03-02',
  });
  const firstPage = ({ userId }: Person) =>
    countRowsReadDuring((sql) => listInbox(sql, toReader(userId), wholeInbox, undefined));
  expect(await firstPage(large)).toBeLessThanOrEqual((await firstPage(small)) * 1.1);
  const { end } = await listInbox(testApp.sql, toReader(large.userId), wholeInbox, undefined);
  const nextPage = await countRowsReadDuring((sql) =>
    listInbox(sql, toReader(large.userId), wholeInbox, end),
  );
  expect(nextPage).toBeLessThanOrEqual((await firstPage(small)) * 1.1);
  const unread = await countRowsReadDuring((sql) => countUnread(sql, toReader(large.userId)));
  expect(unread).toBeLessThanOrEqual(3 * (await countUnread(testApp.sql, toReader(large.userId))));
});
