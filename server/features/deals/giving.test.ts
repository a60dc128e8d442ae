import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Deal, dealErrorMessages } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let giver: Person;
let people: Person[];
let listingId: string;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  giver = await testApp.signIn({ fullName: 'Gina Giver' });
  people = await Promise.all(['Ada', 'Ben', 'Cleo'].map((fullName) => testApp.signIn({ fullName })));
});
afterAll(() => testApp.close());
beforeEach(async () => {
  listingId = await client.list(giver, { title: `Free chairs ${randomUUID()}`, category: 'free', price: 0 });
});

const claim = async (person: Person | undefined): Promise<Deal> => {
  if (!person) throw new Error('There are three people');
  const { status, body } = await client.start(person, listingId);
  expect([status, body]).toEqual([200, body]);
  return body;
};

/** All three people claim the item, one after the other. */
const claimAll = async (): Promise<[Deal, Deal, Deal]> => {
  const claims: Deal[] = [];
  for (const person of people) {
    testApp.clock.advance(60);
    claims.push(await claim(person));
  }
  return claims as [Deal, Deal, Deal];
};
const getPositions = (deals: Deal[]) =>
  Promise.all(deals.map(async (deal) => (await client.get(giver, deal)).position));

test('a claim has no price', async () => {
  const [person] = people;
  if (!person) throw new Error('There are three people');
  const { body } = await client.start(person, listingId, { price: 5 });
  expect(body.fields).toEqual({ price: 'This item is free, so there is no price to offer' });
  expect(await claim(person)).toMatchObject({ kind: 'gift', price: 0, position: 1, state: 'offered' });
});

test('only the first claim in line can be accepted, and declining it moves the others up', async () => {
  const [first, second, third] = await claimAll();
  expect(await getPositions([first, second, third])).toEqual([1, 2, 3]);
  expect((await client.get(giver, second)).transitions).toEqual(['decline']);
  expect((await client.take(giver, second, 'accept')).body.code).toBe('deal_moved_on');
  expect((await client.take(giver, first, 'decline')).status).toBe(200);
  expect(await getPositions([second, third])).toEqual([1, 2]);
  expect((await client.take(giver, second, 'accept')).body).toMatchObject({ state: 'held', position: null });
});

test.each(['withdraw', 'decline'])(
  'once an item has been claimed, its gift mode cannot change, even after the transition %s',
  async (transition) => {
    const [person] = people;
    if (!person) throw new Error('There are three people');
    const form = { title: `Free chairs ${randomUUID()}`, category: 'free', price: 0 };
    listingId = await client.list(giver, { ...form, giftMode: 'draw', drawHours: 2 });
    const deal = await claim(person);
    await client.take(transition === 'withdraw' ? person : giver, deal, transition);
    for (const change of [{ giftMode: 'first_come' }, { giftMode: 'draw', drawHours: 3 }]) {
      const { status, body } = await submitListingForm(testApp, giver, { ...form, ...change, id: listingId });
      expect([status, body.fields]).toEqual([400, { giftMode: dealErrorMessages.drawFixed }]);
    }
    const same = { ...form, giftMode: 'draw', drawHours: 2, id: listingId };
    expect((await submitListingForm(testApp, giver, same)).status).toBe(200);
  },
);

test('the seller sees the held deal first, then the waiting claims by position in the queue', async () => {
  const [first, second, third] = await claimAll();
  await client.take(giver, first, 'accept');
  const { body } = await client.request(giver, 'GET', `/rest/v1/me/listings/${listingId}/deals`);
  expect(body.items.map(({ id, position, waiting }: Deal) => [id, position, waiting])).toEqual([
    [first.id, null, false],
    [second.id, 1, true],
    [third.id, 2, true],
  ]);
});

test('completing a gift closes the other claims', async () => {
  const [first, second] = await claimAll();
  await client.take(giver, first, 'accept');
  await client.take(giver, first, 'handed_over');
  testApp.clock.advance(48 * 3600);
  await testApp.jobs.repeatNow('apply-deal-deadlines');
  await testApp.jobs.runAll();
  expect((await client.get(giver, first)).state).toBe('completed');
  expect((await client.get(giver, second)).state).toBe('closed');
  expect((await client.listLines(giver, second)).at(-1)?.message_text).toBe(
    'This deal was closed: the item was given to somebody else.',
  );
});
