import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import type { BusMessage } from '#contract/realtime.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

const announcements: BusMessage[] = [];
let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyers: Person[];

beforeAll(async () => {
  const bus = createInProcessBus();
  bus.subscribe((announcement) => announcements.push(announcement));
  testApp = await startTestApp({ replace: { bus } });
  client = createDealClient(testApp);
});
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyers = await Promise.all(['Ada', 'Ben', 'Cleo'].map((fullName) => testApp.signIn({ fullName })));
});
afterAll(() => testApp.close());

/** Lists an item and starts a deal of each of the three buyers about it, one after the other. */
const startDeals = async (form: object): Promise<[Deal, Deal, Deal]> => {
  const listingId = await client.list(seller, { title: `Desk ${randomUUID()}`, ...form });
  const deals: Deal[] = [];
  for (const buyer of buyers) {
    testApp.clock.advance(60);
    deals.push((await client.start(buyer, listingId)).body);
  }
  return deals as [Deal, Deal, Deal];
};
const giftForm = { category: 'free', price: 0 };

/** Runs `work` and returns the conversations for which it announces a changed deal without a new event line. */
const collectChanges = async (work: () => Promise<unknown>) => {
  await Promise.resolve();
  announcements.length = 0;
  await work();
  await Promise.resolve();
  return announcements
    .filter((announcement) => announcement.kind === 'read')
    .map(({ conversation_id, user_id }) => [conversation_id, user_id]);
};
const getBuyersChange = (deal: Deal) => [deal.conversation_id, deal.buyer_id];
const countUnread = async (person: Person): Promise<number> =>
  (await client.request(person, 'GET', '/rest/v1/conversations/unread')).body.unread_total;
const readAll = async (deals: readonly Deal[]): Promise<void> => {
  for (const [index, { conversation_id: id }] of deals.entries())
    for (const person of [seller, buyers[index] as Person])
      await client.request(person, 'POST', `/rest/v1/conversations/${id}/read`, { seq: 100 });
};
/** Accepts the first deal and cancels it again as the seller, so that the job renews the waiting offers. */
const endHoldOf = async ([first, ...rest]: [Deal, Deal, Deal]): Promise<void> => {
  await client.take(seller, first, 'accept');
  await readAll([first, ...rest]);
  await client.take(seller, first, 'cancel', { reason: 'It broke.' });
  testApp.mails.length = 0;
  await testApp.jobs.runAll();
};

describe('offers that begin to wait', () => {
  test.each([
    ['sale', {}],
    ['gift', giftForm],
  ])('appear as waiting on the screens of their buyers at once: %s', async (_kind, form) => {
    const [first, second, third] = await startDeals(form);
    expect(await collectChanges(() => client.take(seller, first, 'accept'))).toEqual(
      expect.arrayContaining([getBuyersChange(second), getBuyersChange(third)]),
    );
  });

  test('cause no event on transitions that leave them unchanged', async () => {
    const [first, second] = await startDeals({});
    expect(await collectChanges(() => client.take(seller, second, 'decline'))).toEqual([]);
    await client.take(seller, first, 'accept');
    const place = { place: 'The fountain', times: ['2026-03-03T20:00:00.000Z'] };
    expect(await collectChanges(() => client.take(seller, first, 'propose_handover', place))).toEqual([]);
  });
});

test('claims that move up in the line are updated on the screens of their buyers at once', async () => {
  const [first, second, third] = await startDeals(giftForm);
  expect(await collectChanges(() => client.take(seller, second, 'decline'))).toEqual([
    getBuyersChange(third),
  ]);
  expect(await collectChanges(() => client.take(buyers[0] as Person, first, 'withdraw'))).toEqual([
    getBuyersChange(third),
  ]);
});

describe('when a hold ends without a trade', () => {
  const fresh = { waiting: false, deadline_at: '2026-03-04T18:03:00.000Z' };

  test('the buyers with waiting offers are notified, and the seller is not', async () => {
    const deals = await startDeals({});
    await endHoldOf(deals);
    for (const deal of deals.slice(1)) {
      expect(await client.get(seller, deal)).toMatchObject(fresh);
      expect((await client.listLines(seller, deal)).at(-1)).toMatchObject({ kind: 'system' });
    }
    expect(await Promise.all(buyers.map(countUnread))).toEqual([1, 1, 1]);
    expect(await countUnread(seller)).toBe(0);
    testApp.clock.advance(3600);
    await testApp.jobs.repeatNow('queue-unread-mail');
    const people = [seller, ...buyers].map(({ email }) => email);
    expect(
      testApp.mails
        .map(({ to }) => to)
        .filter((to) => people.includes(to))
        .sort(),
    ).toEqual(people.slice(1).sort());
  });

  test('each claim of a free item gets a new deadline, and only the first in line is notified', async () => {
    const deals = await startDeals(giftForm);
    const [, second, third] = deals;
    await client.take(seller, deals[0], 'accept');
    await readAll(deals);
    await client.take(seller, deals[0], 'cancel', { reason: 'It broke.' });
    const changes = await collectChanges(() => testApp.jobs.runAll());
    expect(changes).toEqual([
      [third.conversation_id, third.buyer_id],
      [third.conversation_id, third.seller_id],
    ]);
    expect(await client.get(seller, second)).toMatchObject({ ...fresh, position: 1 });
    expect(await client.get(seller, third)).toMatchObject({ ...fresh, position: 2 });
    expect(await Promise.all([second, third].map((deal) => client.listLines(seller, deal)))).toMatchObject([
      [{ data: { transition: 'claim' } }, { data: { transition: 'renew' } }],
      [{ data: { transition: 'claim' } }],
    ]);
    expect(await Promise.all(buyers.map(countUnread))).toEqual([1, 1, 0]);
    expect(await countUnread(seller)).toBe(0);
  });
});
