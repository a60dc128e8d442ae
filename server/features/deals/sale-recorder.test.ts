import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { dealSettlingQueue } from './public.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  [seller, buyer] = [await testApp.signIn({ fullName: 'Sam' }), await testApp.signIn({ fullName: 'Bea' })];
});

const title = 'A chair of solid ash';
/** Creates a listing that is marked as sold to the buyer, who wrote about it. Returns its id. */
const sell = async (form: object = {}, body: object = {}): Promise<string> => {
  const id = await client.list(seller, { title, price: 45, ...form });
  const conversations = createConversationClient(testApp);
  const { body: conversation } = await conversations.open(buyer, id);
  await conversations.send(buyer, conversation.id, 'Is it still there?');
  const url = `/rest/v1/me/listings/${id}/sold`;
  expect((await client.request(seller, 'POST', url, { to_user_id: buyer.userId, ...body })).status).toBe(200);
  return id;
};
const answer = (id: string, confirmed = true, person = buyer) =>
  client.request(person, 'POST', `/rest/v1/listings/${id}/sale-answer`, { confirmed });
const listDeals = async (person: Person): Promise<Deal[]> => {
  const { body } = await client.request(person, 'GET', '/rest/v1/deals');
  expect(calls.listDeals.output.parse(body)).toEqual(body);
  return body.items;
};
const review = (person: Person, { id }: Deal, rating: number) =>
  client.request(person, 'POST', `/rest/v1/deals/${id}/review`, { rating, tags: [], text: '' });
const readProfile = async ({ userId }: Person) =>
  (await client.request(buyer, 'GET', `/rest/v1/users/${userId}`)).body;

test('a sale that its buyer confirms is stored once, as a completed deal of both parties', async () => {
  const id = await sell();
  const [{ status }, second] = await Promise.all([answer(id), answer(id)]);
  expect([status, second.status]).toEqual([200, 200]);
  const [deal, ...others] = await listDeals(buyer);
  expect(others).toEqual([]);
  expect(deal).toMatchObject({
    listing_id: id,
    state: 'completed',
    kind: 'sale',
    title,
    price: null,
    transitions: [],
    other: { name: 'Sam' },
  });
  expect(await listDeals(seller)).toMatchObject([{ id: deal?.id, other: { name: 'Bea' } }]);
  const lines = await client.listLines(seller, deal as Deal);
  expect(lines).toMatchObject([
    {
      kind: 'deal',
      message_text: 'The buyer confirmed that the item went to them.',
      data: { transition: 'confirm_sale', by: 'buyer', from: null, state: 'completed', number: 1 },
    },
  ]);
  expect([await readProfile(seller), await readProfile(buyer)]).toMatchObject([
    { completed_trades: 1 },
    { completed_trades: 1 },
  ]);
});

test('promise 67: both parties can review a confirmed sale within 14 days of the confirmation', async () => {
  await answer(await sell());
  const [deal] = await listDeals(buyer);
  if (!deal) throw new Error('There is no deal');
  expect((await review(buyer, deal, 5)).status).toBe(200);
  expect(await readProfile(seller)).toMatchObject({ rating: null, review_count: 0 });
  expect((await review(seller, deal, 4)).status).toBe(200);
  expect(await readProfile(seller)).toMatchObject({ rating: 5, review_count: 1 });

  testApp.clock.advance(1);
  await answer(await sell());
  const [later] = await listDeals(buyer);
  testApp.clock.advance(14 * 24 * 3600);
  expect((await review(buyer, later as Deal, 5)).body.code).toBe('review_not_possible');
});

test.each([
  ['a free item costs nothing', { category: 'free', price: 0 }, {}, { kind: 'gift', price: 0 }],
  [
    'a rental without an end date has no days',
    { category: 'rentals' },
    {},
    { kind: 'rental', first_day: null },
  ],
  [
    'a rental with an end date has neither a price nor days',
    { category: 'rentals' },
    { until: '2026-03-20' },
    { kind: 'rental', price: null, last_day: null },
  ],
])('%s', async (_case, form, body, expected) => {
  expect((await answer(await sell(form, body))).status).toBe(200);
  expect(await listDeals(seller)).toMatchObject([{ state: 'completed', ...expected }]);
});

test('a sale that is denied or not answered creates no deal', async () => {
  await sell();
  const denied = await sell();
  expect((await answer(denied, false)).status).toBe(200);
  expect(await listDeals(seller)).toEqual([]);
});

test('confirming a sale closes the open offer of the buyer', async () => {
  const id = await client.list(seller, { title, price: 45 });
  const offer = (await client.start(buyer, id, { price: 30 })).body;
  testApp.clock.advance(1);
  await client.request(seller, 'POST', `/rest/v1/me/listings/${id}/sold`, { to_user_id: buyer.userId });
  await answer(id);
  testApp.clock.advance(60);
  await testApp.jobs.enqueue(testApp.sql, dealSettlingQueue, { listing_id: id });
  await testApp.jobs.runAll();
  expect((await listDeals(buyer)).map(({ id: dealId, state }) => [dealId === offer.id, state])).toEqual([
    [false, 'completed'],
    [true, 'closed'],
  ]);
});
