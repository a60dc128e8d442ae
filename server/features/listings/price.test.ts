import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  [seller, stranger] = [await testApp.signIn(), await testApp.signIn()];
});
afterAll(() => testApp.close());
beforeEach(() => testApp.clock.advance(11));

const post = async (form: ListingForm = {}): Promise<{ id: string; slug: string }> =>
  (await submitListingForm(testApp, seller, form)).body.listing;
const changePrice = async (id: string, price: unknown, person = seller) => {
  const response = await testApp.server.inject({
    method: 'PUT',
    url: `/rest/v1/me/listings/${id}/price`,
    headers: person.headers,
    payload: { price },
  });
  return { status: response.statusCode, body: response.json() };
};
const readPublicPrice = async (slug: string): Promise<unknown> =>
  (await testApp.server.inject({ url: `/rest/v1/listings/${slug}` })).json().price;

test('the price of a published listing changes for everybody, and nothing else does', async () => {
  const { id, slug } = await post({ price: 40 });
  const before = (await changePrice(id, 40)).body;
  expect(await changePrice(id, '1,200.50')).toMatchObject({
    status: 200,
    body: { ...before, price: 1200.5, updated_at: expect.any(String) },
  });
  expect(await readPublicPrice(slug)).toBe(1200.5);
});

test('a draft stays a draft, and may lack other fields', async () => {
  const { id } = await post({ title: 'Lamp', description: '', status: 'draft' });
  expect(await changePrice(id, 12)).toMatchObject({ status: 200, body: { status: 'draft', price: 12 } });
});

test.each([
  [{}, 0, 'Price must be greater than 0'],
  [{}, -1, 'Price must be greater than 0'],
  [{}, 9.999, 'Price can have at most 2 decimal places'],
  [{}, 100_000.01, 'Price must be at most $100,000.00'],
  [{}, '', 'Price is required'],
  [{}, 'ten', 'Enter the price in digits, for example 25 or 25.50'],
  [
    { category: 'free', price: 0 },
    5,
    'Price must be $0.00 for free items or greater than $0.00 for other categories',
  ],
] as [ListingForm, unknown, string][])(
  'of a listing with %o it refuses the price %s',
  async (form, price, sentence) => {
    const { id } = await post(form);
    expect(await changePrice(id, price)).toMatchObject({
      status: 400,
      body: { fields: { price: sentence } },
    });
  },
);

test('somebody else’s listing counts as missing, and a sold one keeps its price', async () => {
  const { id, slug } = await post({ price: 40 });
  expect(await changePrice(id, 1, stranger)).toMatchObject({
    status: 404,
    body: { code: 'listing_not_found' },
  });
  await testApp.server.inject({
    method: 'POST',
    url: `/rest/v1/me/listings/${id}/sold`,
    headers: seller.headers,
    payload: {},
  });
  expect(await changePrice(id, 1)).toMatchObject({ status: 409, body: { code: 'listing_sold' } });
  expect(await readPublicPrice(slug)).toBe(40);
});

test('a price change does not lock the listing while it waits for a suspension of its owner', async () => {
  const { id } = await post({ price: 40 });
  let changed: ReturnType<typeof changePrice> | undefined;
  await testApp.sql.begin(async (tx) => {
    await tx`SELECT FROM private.credentials WHERE user_id = ${seller.userId} FOR UPDATE`;
    changed = changePrice(id, 30);
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        { timeout: 10_000 },
      )
      .toHaveLength(1);
    await tx`SELECT FROM listings WHERE id = ${id} FOR UPDATE NOWAIT`;
  });
  expect(await changed).toMatchObject({ status: 200, body: { price: 30 } });
});
