import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { maxSavedListings, savedListingPageSize } from '#contract/paging.ts';
import { type SavedListing, savedListingPageSchema } from '#contract/saved-listings.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { removeDeletedListings, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let person: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn({ fullName: 'Sue Seller' });
});
beforeEach(async () => {
  person = await testApp.signIn({ fullName: 'Penny Person' });
});
afterAll(() => testApp.close());

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

const send = async (by: Person, method: Method, url: string, payload?: object) => {
  const response = await testApp.server.inject({
    method,
    url,
    headers: by.headers,
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const saves = '/rest/v1/me/saved-listings';
const save = (id: string, by = person) => send(by, 'PUT', `${saves}/${id}`);
const list = async (by = person, query = '') => {
  const { status, body } = await send(by, 'GET', `${saves}${query}`);
  expect(status).toBe(200);
  return savedListingPageSchema.parse(body);
};
const listIds = async (by = person): Promise<string[]> =>
  (await send(by, 'GET', `${saves}/ids`)).body.listing_ids;
const getOnlyItem = async (): Promise<SavedListing> => {
  const { items } = await list();
  expect(items).toHaveLength(1);
  return items[0] as SavedListing;
};
const insertManyListings = async (count: number): Promise<string[]> => {
  const now = testApp.clock.now();
  const prefix = randomUUID();
  const rows = await testApp.sql<{ id: string }[]>`
    INSERT INTO listings (slug, user_id, title, description, price, photos, category, condition, location, status,
      contact_email, created_at, updated_at, published_at)
    SELECT ${prefix} || n, ${seller.userId}, 'Solid oak desk no. ' || n, repeat('Sturdy. ', 10), 10, '{}',
      'furniture', 'good', 'Village', 'published', 'seller@usc.edu', ${now}, ${now}, ${now}
    FROM generate_series(1, ${count}::int) AS n RETURNING id`;
  return rows.map(({ id }) => id);
};

test('lists saved listings, newest save first, with the price when saved and the current listing', async () => {
  const [first, second] = [
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, seller),
  ];
  await save(first);
  testApp.clock.advance(60);
  const savedAt = testApp.clock.now().toISOString();
  await save(second);
  await testApp.sql`UPDATE listings SET price = 30, is_on_hold = true WHERE id = ${second}`;
  const { items, total, unavailable_total: unavailable, next_cursor: next } = await list();
  expect(items.map(({ listing_id: id }) => id)).toEqual([second, first]);
  expect(items[0]).toMatchObject({
    saved_at: savedAt,
    saved_title: 'Solid oak desk',
    saved_price: 45.5,
    status: 'published',
    listing: { id: second, price: 30, is_on_hold: true, seller: { name: 'Sue Seller' } },
  });
  expect({ total, unavailable, next }).toEqual({ total: 2, unavailable: 0, next: null });
  expect(await listIds()).toEqual([second, first]);
});

test('saving twice keeps the first save, and removing twice succeeds', async () => {
  const id = await insertDeskListing(testApp, seller);
  await save(id);
  const before = await getOnlyItem();
  testApp.clock.advance(60);
  await testApp.sql`UPDATE listings SET price = 20 WHERE id = ${id}`;
  expect((await save(id)).status).toBe(200);
  expect(await getOnlyItem()).toMatchObject({ saved_at: before.saved_at, saved_price: 45.5 });
  for (const _ of [1, 2]) expect((await send(person, 'DELETE', `${saves}/${id}`)).status).toBe(200);
  expect(await list()).toMatchObject({ items: [], total: 0 });
});

test('twenty simultaneous saves of a listing store it once', async () => {
  const id = await insertDeskListing(testApp, seller);
  const responses = await Promise.all(Array.from({ length: 20 }, () => save(id)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(await list()).toMatchObject({ total: 1 });
});

test('nobody can save a draft, a listing that was taken down, an unknown one or their own', async () => {
  const [draft, hidden, own] = [
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, person),
  ];
  await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${draft}`;
  await testApp.sql`
    UPDATE listings SET status = 'draft', hidden_at = ${testApp.clock.now()}, hidden_with = 'listing',
      hidden_reason = 'Not allowed' WHERE id = ${hidden}`;
  for (const id of [draft, hidden, randomUUID(), 'no-id'])
    expect(await save(id), id).toMatchObject({ status: 404, body: { code: 'listing_not_found' } });
  expect(await save(own)).toMatchObject({ status: 409, body: { code: 'own_listing' } });
  expect(
    (await send(person, 'POST', saves, { listing_ids: [draft, hidden, own, randomUUID()] })).body,
  ).toEqual({
    listing_ids: [],
  });
});

test('marks sold listings, and shows nothing of listings that only their owner can see', async () => {
  const id = await insertDeskListing(testApp, seller);
  await save(id);
  await testApp.sql`UPDATE listings SET status = 'sold', sold_at = ${testApp.clock.now()} WHERE id = ${id}`;
  expect(await getOnlyItem()).toMatchObject({ status: 'sold', listing: { id } });
  expect((await list()).unavailable_total).toBe(1);
  await testApp.sql`UPDATE listings SET sold_at = ${new Date(testApp.clock.now().getTime() - 91 * 86_400_000)} WHERE id = ${id}`;
  expect(await getOnlyItem()).toMatchObject({ status: 'unavailable', listing: null });

  await testApp.sql`UPDATE listings SET status = 'draft', sold_at = NULL, title = 'A secret plan of the owner' WHERE id = ${id}`;
  expect(await getOnlyItem()).toMatchObject({
    status: 'unavailable',
    saved_title: 'Solid oak desk',
    listing: null,
  });
  await testApp.sql`
    UPDATE listings SET hidden_at = ${testApp.clock.now()}, hidden_with = 'listing', hidden_reason = 'Not allowed'
    WHERE id = ${id}`;
  expect(await getOnlyItem()).toMatchObject({ status: 'unavailable', saved_title: null, listing: null });
});

test('clears all sold and unavailable listings of the caller, and of nobody else', async () => {
  const [kept, sold, draft] = [
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, seller),
  ];
  const other = await testApp.signIn();
  for (const id of [kept, sold, draft]) {
    await save(id);
    await save(id, other);
  }
  await testApp.sql`UPDATE listings SET status = 'sold', sold_at = ${testApp.clock.now()} WHERE id = ${sold}`;
  await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${draft}`;
  expect((await send(person, 'DELETE', `${saves}/unavailable`)).status).toBe(200);
  expect(await listIds()).toEqual([kept]);
  expect((await listIds(other)).sort()).toEqual([kept, sold, draft].sort());
});

test('keeps a listing that its seller did not confirm, unless it was taken down', async () => {
  const [paused, hidden] = [
    await insertDeskListing(testApp, seller),
    await insertDeskListing(testApp, seller),
  ];
  for (const id of [paused, hidden]) await save(id);
  const now = testApp.clock.now();
  await testApp.sql`UPDATE listings SET status = 'draft', paused_at = ${now} WHERE id IN (${paused}, ${hidden})`;
  await testApp.sql`UPDATE listings SET hidden_at = ${now}, hidden_with = 'listing', hidden_reason = 'Not allowed' WHERE id = ${hidden}`;
  expect(await list()).toMatchObject({ total: 2, unavailable_total: 1 });
  await send(person, 'DELETE', `${saves}/unavailable`);
  expect(await listIds()).toEqual([paused]);
});

test('a deleted listing is removed from saved listings once it can no longer be restored', async () => {
  const { body } = await submitListingForm(testApp, seller);
  await save(body.listing.id);
  await send(seller, 'DELETE', `/rest/v1/me/listings/${body.listing.id}`);
  expect(await getOnlyItem()).toMatchObject({ status: 'unavailable' });
  await removeDeletedListings(testApp);
  expect(await list()).toMatchObject({ items: [], total: 0, unavailable_total: 0 });
  expect(await testApp.sql`SELECT 1 FROM saved_listings WHERE user_id = ${person.userId}`).toHaveLength(0);
});

test('saves at most 500 listings, even in parallel requests, and returns an error for more', async () => {
  const ids = await insertManyListings(maxSavedListings + 5);
  const { body } = await send(person, 'POST', saves, { listing_ids: ids.slice(0, maxSavedListings - 2) });
  expect(body.listing_ids).toHaveLength(maxSavedListings - 2);
  const responses = await Promise.all(ids.slice(maxSavedListings - 2).map((id) => save(id)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const { status, body: problem } of responses.filter(({ status }) => status !== 200)) {
    expect({ status, ...problem }).toMatchObject({
      status: 409,
      code: 'saved_listings_full',
      error: 'You can save up to 500 listings. Please remove some first.',
    });
  }
  expect(await listIds()).toHaveLength(maxSavedListings);
  // A listing that is already saved does not count as new.
  expect((await save(ids[0] ?? '')).status).toBe(200);
  expect((await send(person, 'POST', saves, { listing_ids: [...ids.slice(0, 10)] })).status).toBe(200);
  const tooMany = [...ids, ...ids].slice(0, maxSavedListings + 1);
  expect((await send(person, 'POST', saves, { listing_ids: tooMany })).status).toBe(400);
});

test('promise 80: listings saved before the log-in are merged once, in the order of the request', async () => {
  const ids = await insertManyListings(30);
  const own = await insertDeskListing(testApp, person);
  await save(ids[7] ?? '');
  testApp.clock.advance(60);
  const listingIds = [own, ...ids, ...ids.slice(0, 3), randomUUID()];
  for (const _ of [1, 2]) {
    const { body } = await send(person, 'POST', saves, { listing_ids: listingIds });
    expect(body.listing_ids).toEqual([...ids.filter((_, index) => index !== 7), ids[7]]);
  }
  expect(await list()).toMatchObject({ total: 30 });
});

test('reads the list page by page', async () => {
  const ids = await insertManyListings(2 * savedListingPageSize + 1);
  await send(person, 'POST', saves, { listing_ids: ids });
  const found: string[] = [];
  for (let query: string | undefined = ''; query !== undefined; ) {
    const page = await list(person, query);
    found.push(...page.items.map(({ listing_id: id }) => id));
    query = page.next_cursor === null ? undefined : `?cursor=${page.next_cursor}`;
  }
  expect(found).toEqual(ids);
  const invalid = [
    'x',
    Buffer.from('["0000-01-01T00:00:00Z", 1]').toString('base64url'),
    Buffer.from(`["0000-01-01T00:00:00Z", "${ids[0]}"]`).toString('base64url'),
  ];
  for (const cursor of invalid)
    expect(await send(person, 'GET', `${saves}?cursor=${cursor}`)).toMatchObject({ status: 400 });
});

test('the owner learns how many people saved a listing, and nobody else does', async () => {
  const { body } = await submitListingForm(testApp, seller, { title: 'A lamp with a green shade' });
  const { id, slug } = body.listing;
  expect(body.listing.save_count).toBe(0);
  await save(id);
  await save(id, await testApp.signIn());
  expect((await send(seller, 'GET', `/rest/v1/me/listings/${id}`)).body.save_count).toBe(2);
  const { body: own } = await send(seller, 'GET', '/rest/v1/me/listings?limit=500');
  expect(own.items.find((it: { id: string }) => it.id === id)).toMatchObject({ save_count: 2 });
  const shown = [
    await send(person, 'GET', `/rest/v1/listings/${slug}`),
    await send(person, 'GET', '/rest/v1/listings?limit=1'),
    await send(seller, 'GET', `/rest/v1/me/listings/${id}`),
  ];
  expect(JSON.stringify(shown.slice(0, 2))).not.toContain('save_count');
  expect(JSON.stringify(shown)).not.toContain(person.userId);
});

test('promise 79: deleting an account removes its saved listings', async () => {
  const id = await insertDeskListing(testApp, seller);
  await save(id);
  expect((await send(person, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' })).status).toBe(200);
  expect(await testApp.sql`SELECT 1 FROM saved_listings WHERE listing_id = ${id}`).toHaveLength(0);
});
