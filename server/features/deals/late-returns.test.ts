import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let owner: Person;
let renter: Person;
let out: Deal;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  const form = { title: `Camera ${randomUUID()}`, category: 'rentals', price: 20, rentalPeriod: 'day' };
  const listingId = await client.list(owner, form);
  const days = { first_day: '2026-03-03', last_day: '2026-03-05' };
  const { body } = await client.start(renter, listingId, days);
  await client.take(owner, body, 'accept');
  out = (await client.take(renter, body, 'received')).body;
});

const goTo = (day: string) => testApp.clock.set(new Date(`${day}T18:00:00.000Z`));
const take = async (person: Person, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, out, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const refuse = async (person: Person, transition: string, data?: object) => {
  const { status, body } = await client.take(person, out, transition, data);
  expect([status, body.code]).toEqual([409, 'deal_moved_on']);
};
const propose = (price = 12) => take(owner, 'propose_extra_price', { price });
const readLines = async () =>
  (await client.listLines(owner, out)).slice(-3).map(({ message_text: text }) => text);

describe('the price of the extra days of a late rental', () => {
  test('is proposed by the owner and agreed by the renter, and changes neither price nor days', async () => {
    goTo('2026-03-07');
    expect(await propose()).toMatchObject({ state: 'out', requested_extra_price: 12 });
    expect((await client.get(renter, out)).transitions).toEqual(
      expect.arrayContaining(['accept_extra_price', 'decline_extra_price']),
    );
    await refuse(owner, 'propose_extra_price', { price: 15 });
    const agreed = await take(renter, 'accept_extra_price');
    expect(agreed).toMatchObject({ state: 'out', price: 60, last_day: '2026-03-05', extra_price: 12 });
    expect(agreed).not.toHaveProperty('requested_extra_price');
    expect(await readLines()).toEqual([
      'The buyer has the item.',
      'The owner proposed $12 for the extra days.',
      'The renter agreed to $12 for the extra days.',
    ]);
    expect(await take(owner, 'returned')).toMatchObject({ state: 'completed', price: 60, extra_price: 12 });
  });

  test('can be declined, and proposed again; a later agreement replaces an earlier one', async () => {
    goTo('2026-03-07');
    await propose(30);
    expect(await take(renter, 'decline_extra_price')).not.toHaveProperty('requested_extra_price');
    await propose(20);
    await take(renter, 'accept_extra_price');
    goTo('2026-03-08');
    await propose(28);
    expect(await take(renter, 'accept_extra_price')).toMatchObject({ extra_price: 28 });
    await refuse(renter, 'accept_extra_price');
    await refuse(renter, 'decline_extra_price');
  });

  test('is possible after the last day only, also once the renter has returned the item late', async () => {
    await refuse(owner, 'propose_extra_price', { price: 12 });
    goTo('2026-03-06');
    await refuse(renter, 'propose_extra_price', { price: 12 });
    await take(renter, 'returned');
    expect(await propose()).toMatchObject({ state: 'back', requested_extra_price: 12 });
    await refuse(owner, 'accept_extra_price');
    expect(await take(renter, 'accept_extra_price')).toMatchObject({ state: 'back', extra_price: 12 });
  });

  test('is impossible when the item was returned in time, whenever the owner looks', async () => {
    goTo('2026-03-05');
    await take(renter, 'returned');
    goTo('2026-03-06');
    await refuse(owner, 'propose_extra_price', { price: 12 });
  });

  test.each([
    [0, 'Price must be greater than 0'],
    [undefined, 'Enter the price in digits, for example 25 or 25.50'],
  ])('cannot be %s', async (price, sentence) => {
    goTo('2026-03-07');
    const { status, body } = await client.take(owner, out, 'propose_extra_price', { price });
    expect([status, body.fields]).toEqual([400, { price: sentence }]);
  });
});
