import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { removeDeletedListings } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
  buyer = await testApp.signIn();
});
afterAll(() => testApp.close());

const getBackendPid = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return row?.pid ?? 0;
};
const listStatementsWaitingFor = (pid: number) => testApp.sql`
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${pid} = ANY (pg_blocking_pids(pid))`;

test('a conversation that starts while its deleted listing is removed is stored, without a deadlock', async () => {
  const desk = await insertDeskListing(testApp, seller);
  const [reader, writer] = await Promise.all([testApp.sql.reserve(), testApp.sql.reserve()]);
  onTestFinished(() => {
    reader.release();
    writer.release();
  });
  const lockListing = (sql: Queryable) => sql`SELECT 1 FROM listings WHERE id = ${desk} FOR KEY SHARE`;

  await testApp.server.inject({
    method: 'DELETE',
    url: `/rest/v1/me/listings/${desk}`,
    headers: seller.headers,
  });
  await reader`BEGIN`;
  await lockListing(reader);
  const removal = removeDeletedListings(testApp);
  const [readerPid, writerPid] = [await getBackendPid(reader), await getBackendPid(writer)];
  await expect.poll(() => listStatementsWaitingFor(readerPid)).toHaveLength(1);
  const [begun] = await testApp.sql<{ id: string }[]>`
    INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
    VALUES (${desk}, 'Desk', ${buyer.userId}, ${seller.userId}, ${testApp.clock.now()}, ${testApp.clock.now()})
    RETURNING id`;

  // Lock the rows in the order in which sending a first message locks them: the conversation, then
  // its listing.
  await writer`BEGIN`;
  await writer`SELECT 1 FROM conversations WHERE id = ${begun?.id ?? ''} FOR UPDATE`;
  await reader`COMMIT`;
  await expect.poll(() => listStatementsWaitingFor(writerPid)).toHaveLength(1);
  await writer`SET LOCAL lock_timeout = '200ms'`;
  await lockListing(writer);
  await writer`COMMIT`;

  await removal;
  expect(await testApp.sql`SELECT FROM listings WHERE id = ${desk}`).toHaveLength(0);
  expect(await testApp.sql`SELECT listing_id FROM conversations WHERE id = ${begun?.id ?? ''}`).toMatchObject(
    [{ listing_id: null }],
  );
});
