import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let stranger: Person;
let idsNewestFirst: string[];
beforeAll(async () => {
  testApp = await startTestApp();
  [seller, stranger] = [await testApp.signIn(), await testApp.signIn()];
  const saved: OwnListing[] = [];
  for (let number = 0; number < 7; number += 1) {
    const status = number % 2 === 0 ? 'published' : 'draft';
    saved.push(
      (await submitListingForm(testApp, seller, { location: `Room ${number}`, status })).body.listing,
    );
  }
  // Two creation times are equal, and the others differ only in microseconds, which a JavaScript Date cannot represent.
  const now = testApp.clock.now();
  for (const [index, { id }] of saved.entries())
    await testApp.sql`
      UPDATE listings SET created_at = ${now}::timestamptz + make_interval(secs => ${Math.min(index, 5) / 1e6})
      WHERE id = ${id}`;
  const twins = saved
    .slice(5)
    .map(({ id }) => id)
    .sort();
  idsNewestFirst = [
    ...twins.reverse(),
    ...saved
      .slice(0, 5)
      .map(({ id }) => id)
      .reverse(),
  ];
  await submitListingForm(testApp, stranger);
});
afterAll(() => testApp.close());

const fetchOwnListings = async (person: Person, query: Record<string, string | number>) => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await testApp.server.inject({
    url: `/rest/v1/me/listings?${search}`,
    headers: person.headers,
  });
  return { status: response.statusCode, body: response.json() as OwnListingPage & { fields?: object } };
};
const listIdsOfAllPages = async (
  person: Person,
  query: Record<string, string | number>,
): Promise<string[]> => {
  const { body } = await fetchOwnListings(person, query);
  const ids = body.items.map(({ id }) => id);
  return body.next_cursor === null
    ? ids
    : [...ids, ...(await listIdsOfAllPages(person, { ...query, cursor: body.next_cursor }))];
};

test.each([1, 2, 3, 6, 7, 8])(
  'pages of %i listings contain every listing once, newest first',
  async (limit) => {
    expect(await listIdsOfAllPages(seller, { limit })).toEqual(idsNewestFirst);
  },
);

test('every page contains the number of listings in each tab', async () => {
  const first = await fetchOwnListings(seller, { limit: 5 });
  const second = await fetchOwnListings(seller, { limit: 5, cursor: first.body.next_cursor ?? '' });
  expect(first.body.items).toHaveLength(5);
  expect(second.body).toMatchObject({ counts: { active: 4, drafts: 3 }, next_cursor: null });
  expect(second.body.counts).toEqual(first.body.counts);
});

test('a filter applies to every page', async () => {
  const drafts = await listIdsOfAllPages(seller, { limit: 1, status: 'draft' });
  expect(drafts).toHaveLength(3);
  expect(idsNewestFirst.filter((id) => drafts.includes(id))).toEqual(drafts);
});

test("a cursor from somebody else's list returns only the caller's own listings", async () => {
  const { next_cursor: cursor } = (await fetchOwnListings(seller, { limit: 1 })).body;
  const { body } = await fetchOwnListings(stranger, { cursor: cursor ?? '' });
  for (const { user_id } of body.items) expect(user_id).toBe(stranger.userId);
});

test('an invalid cursor is refused', async () => {
  for (const cursor of ['x', 'W10', Buffer.from('["price",5,"2026-01-01","x"]').toString('base64url')]) {
    const { status, body } = await fetchOwnListings(seller, { cursor });
    expect([status, body.fields]).toEqual([400, { cursor: 'This place in the list cannot be found' }]);
  }
});
