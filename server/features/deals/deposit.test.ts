import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let owner: Person;
let renter: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  client = createDealClient(testApp);
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
});
afterAll(() => testApp.close());

const form = { category: 'rentals', price: 20, rentalPeriod: 'day' };
const days = { first_day: '2026-03-03', last_day: '2026-03-05' };

test('a rental has the deposit that its listing asked for at the offer, whatever the listing says later', async () => {
  const title = `Camera ${randomUUID()}`;
  const listingId = await client.list(owner, { ...form, title, deposit: 80 });
  const { body: deal } = await client.start(renter, listingId, days);
  expect(deal).toMatchObject({ price: 60, deposit: 80 });
  const url = `/rest/v1/me/listings/${listingId}`;
  const { body: listing } = await client.request(owner, 'GET', url);
  expect(listing.deposit).toBe(80);
  await testApp.sql`UPDATE listings SET deposit = 120 WHERE id = ${listingId}`;
  expect((await client.take(owner, deal, 'accept')).body).toMatchObject({ state: 'held', deposit: 80 });
  expect(await client.get(renter, deal)).toMatchObject({ deposit: 80 });
});

test('a rental without a deposit, and deals of other kinds, have none', async () => {
  const title = `Camera ${randomUUID()}`;
  const listingId = await client.list(owner, { ...form, title });
  expect((await client.start(renter, listingId, days)).body).not.toHaveProperty('deposit');
  const { held } = await client.holdListing({});
  expect(held).not.toHaveProperty('deposit');
});

test.each([0, -5, 'much', 1e9])('a deposit of %s is refused', async (deposit) => {
  const attempt = client.list(owner, { ...form, title: `Camera ${randomUUID()}`, deposit });
  await expect(attempt).rejects.toThrow('Enter the deposit in digits, for example 50 or 50.50');
});
