import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListingPage } from '#contract/listing-queries.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import type { ListingFilter } from './filter.ts';
import { createMatchCountCache } from './match-count-cache.ts';

let testApp: TestApp;
let seller: Person;
const sentStatements: string[] = [];
beforeAll(async () => {
  testApp = await startTestApp({ onStatement: (statement) => sentStatements.push(statement) });
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());

const listPage = async (query: string): Promise<ListingPage> =>
  (await testApp.server.inject({ url: `/rest/v1/listings?${query}` })).json();
const saveForm = async (form: ListingForm) => (await submitListingForm(testApp, seller, form)).body.listing;
const countQueriesDuring = async (work: () => Promise<unknown>): Promise<number> => {
  sentStatements.length = 0;
  await work();
  return sentStatements.filter((statement) => statement.includes('AS matches')).length;
};

test('a total is counted once for all pages and orders', async () => {
  for (let count = 0; count < 3; count += 1) await saveForm({ title: `Kettle no. ${count} of many` });
  expect(await countQueriesDuring(() => listPage('category=furniture&limit=2'))).toBe(1);
  const counts = await countQueriesDuring(async () => {
    const { total, next_cursor } = await listPage('category=furniture&limit=2');
    expect(total).toBe(3);
    expect((await listPage(`category=furniture&limit=2&cursor=${next_cursor}`)).total).toBe(3);
    expect((await listPage('category=furniture&sort=price')).total).toBe(3);
  });
  expect(counts).toBe(0);
});

test('concurrent requests share one count', async () => {
  await saveForm({ title: 'Another kettle for the shelf' });
  const counts = await countQueriesDuring(() =>
    Promise.all(Array.from({ length: 8 }, () => listPage('category=furniture'))),
  );
  expect(counts).toBe(1);
});

test('creating, moving, unpublishing or deleting a listing updates the affected totals immediately', async () => {
  const total = async (query: string) => (await listPage(query)).total;
  const [furniture, kitchen] = [await total('category=furniture'), await total('category=kitchen')];
  const all = await total('');
  const search = await total('q=ladle');
  const ladle = await saveForm({ title: 'A ladle for large pots', category: 'kitchen' });
  expect(await total('category=kitchen')).toBe(kitchen + 1);
  expect(await total('')).toBe(all + 1);
  expect(await total('q=ladle')).toBe(search + 1);
  expect(await countQueriesDuring(() => total('category=furniture'))).toBe(0);
  await saveForm({ id: ladle.id, title: 'A ladle for large pots', category: 'furniture' });
  expect(await total('category=kitchen')).toBe(kitchen);
  expect(await total('category=furniture')).toBe(furniture + 1);
  const url = `/rest/v1/me/listings/${ladle.id}`;
  await testApp.server.inject({
    method: 'PATCH',
    url,
    headers: seller.headers,
    payload: { status: 'draft' },
  });
  expect(await total('category=furniture')).toBe(furniture);
  await testApp.server.inject({
    method: 'PATCH',
    url,
    headers: seller.headers,
    payload: { status: 'published' },
  });
  expect(await total('category=furniture')).toBe(furniture + 1);
  await testApp.server.inject({ method: 'DELETE', url, headers: seller.headers });
  expect(await total('category=furniture')).toBe(furniture);
});

test('a change without invalidation appears after a minute', async () => {
  const total = async () => (await listPage('category=textbooks')).total;
  const { id } = await saveForm({ category: 'textbooks' });
  expect(await total()).toBe(1);
  await testApp.sql`DELETE FROM listings WHERE id = ${id}`;
  testApp.clock.advance(59);
  expect(await total()).toBe(1);
  testApp.clock.advance(1);
  expect(await total()).toBe(0);
});

test('a total is not cached if a change occurred while it was being counted', async () => {
  const bus = createInProcessBus();
  const matchCounts = createMatchCountCache(bus, createTestClock());
  const stopListening = matchCounts.listen();
  const filter: ListingFilter = { today: '2026-03-02', category: 'kitchen' };
  const change = () =>
    bus.publish({ kind: 'pages_changed', listing_ids: [], user_ids: [], categories: ['kitchen'] });
  await matchCounts.count(filter, async () => {
    await change();
    return 1;
  });
  expect(matchCounts.find(filter)).toBeUndefined();
  expect(await matchCounts.count(filter, async () => 2)).toBe(2);
  expect(matchCounts.find(filter)).toBe(2);
  await change();
  expect(matchCounts.find(filter)).toBeUndefined();
  stopListening();
});
