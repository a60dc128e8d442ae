import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { watchDatabase } from '#server/platform/postgres/database-watch.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { watchPrimary } from '#server/platform/postgres/primary-watch.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '#server/testing/replicated-database.ts';

/** How long a request may wait for a response while there is no primary, in ms. */
const responseTimeoutMs = 10_000;
/** How long the application may take to work again after a promotion, in ms. */
const recoveryTimeoutMs = 10_000;
const closers: (() => unknown)[] = [];

let database: ReplicatedDatabase;
let sql: Sql;
let testApp: TestApp;
let buyer: Person;
let seller: Person;
beforeAll(async () => {
  database = await startReplicatedDatabase({ synchronous: true });
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  sql = openDatabase(database.url);
  const search = openSearchDatabase(database.url, { max: 2 });
  const bus = await createPostgresBus(sql, silentLog);
  testApp = await startTestApp({ replace: { sql, search: search.run, bus } });
  [buyer, seller] = [await testApp.signIn(), await testApp.signIn()];
  const watch = watchDatabase(database.url, [sql, search.sql], silentLog);
  const primaryWatch = watchPrimary(database.url, silentLog);
  closers.push(watch.stop, primaryWatch.stop, bus.close, () => search.sql.end({ timeout: 1 }));
});
afterAll(async () => {
  for (const close of closers) await close();
  await testApp.close();
  await database.close();
});

/**
 * Repeats a call with the same client id until it succeeds, as our clients do. Returns the statuses of all
 * attempts.
 */
const repeatUntilConfirmed = async (call: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (;;) {
    const sentAt = performance.now();
    const { status } = await call();
    expect(performance.now() - sentAt).toBeLessThan(responseTimeoutMs);
    statuses.push(status);
    if (status < 300) return statuses;
  }
};

test('during a failover requests get 503 until it ends by itself, and retries are neither lost nor duplicated', async () => {
  const client = createConversationClient({ ...testApp, sql });
  const { id } = await client.begin(buyer, seller);
  const statuses = new Set<number>();
  const confirmed: string[] = [];
  const listings: string[] = [];
  let isSending = true;

  const sendMessages = async (): Promise<void> => {
    while (isSending) {
      const text = `message ${confirmed.length}`;
      const clientId = randomUUID();
      for (const each of await repeatUntilConfirmed(() => client.send(buyer, id, text, clientId)))
        statuses.add(each);
      confirmed.push(text);
    }
  };
  const postListings = async (): Promise<void> => {
    while (isSending) {
      const form = { title: `Listing number ${listings.length} of many`, clientId: randomUUID() };
      for (const each of await repeatUntilConfirmed(() => submitListingForm(testApp, seller, form)))
        statuses.add(each);
      listings.push(form.title);
    }
  };
  const search = async (): Promise<void> => {
    while (isSending) {
      const response = await testApp.server.inject({ url: '/rest/v1/listings?q=desk' });
      statuses.add(response.statusCode);
    }
  };
  const traffic = Promise.all([sendMessages(), postListings(), search()]);
  const waitFor = async (isReached: () => boolean, timeoutMs: number): Promise<void> => {
    const deadline = performance.now() + timeoutMs;
    while (!isReached()) {
      expect(performance.now()).toBeLessThan(deadline);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  await waitFor(() => confirmed.length > 20 && listings.length > 5, 30_000);
  database.primary.signal('SIGKILL');
  await waitFor(() => statuses.has(503), responseTimeoutMs);
  await database.standby.promote();
  const before = { messages: confirmed.length, listings: listings.length };
  await waitFor(
    () => confirmed.length > before.messages + 5 && listings.length > before.listings + 1,
    recoveryTimeoutMs,
  );
  isSending = false;
  await traffic;

  expect([...statuses].filter((status) => status >= 300)).toEqual([503]);
  const messages = await sql<{ message_text: string }[]>`
    SELECT message_text FROM messages WHERE conversation_id = ${id} ORDER BY seq`;
  expect(messages.map(({ message_text }) => message_text)).toEqual(confirmed);
  const posted = await sql<{ title: string }[]>`
    SELECT title FROM listings WHERE title LIKE 'Listing number%' ORDER BY created_at, title`;
  expect(posted.map(({ title }) => title).sort()).toEqual(listings.toSorted());
}, 90_000);
