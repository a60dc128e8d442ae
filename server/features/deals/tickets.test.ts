import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

const now = new Date('2026-03-02T18:00:00.000Z');
const tickets = {
  title: 'Two tickets for the derby',
  category: 'game-day',
  gameDate: '2026-03-14',
  price: 40,
};

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_TICKET_PRICE_CAP: 'face' } });
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(now);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
});

const setCap = (percentage: number | undefined): void => {
  testApp.app.config.campus.ticketPriceCap = percentage;
};
const list = (form: object = {}): Promise<string> =>
  client.list(seller, { ...tickets, faceValue: 50, ...form });
const offer = async (listingId: string, wanted: object = {}): Promise<Deal> => {
  const { status, body } = await client.start(buyer, listingId, wanted);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const take = async (person: Person, deal: Deal, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const hold = async (form: object = {}): Promise<Deal> =>
  take(seller, await offer(await list(form)), 'accept');

describe('promise 117: no price of tickets above the cap', () => {
  const refused = { fields: { price: 'At most $50: tickets are resold at face value here' } };

  test('is offered, countered or accepted', async () => {
    const listingId = await list();
    expect((await client.start(buyer, listingId, { price: 50.01 })).body).toMatchObject(refused);
    const offered = await offer(listingId, { price: 45 });
    expect((await client.take(seller, offered, 'counter', { price: 50.01 })).body).toMatchObject(refused);
    const countered = await take(seller, offered, 'counter', { price: 50 });
    // The seller lowers the face value to what is printed on the tickets.
    await client.list(seller, { ...tickets, id: listingId, faceValue: 42 });
    expect((await client.take(buyer, countered, 'accept')).body).toMatchObject({
      fields: { price: 'At most $42: tickets are resold at face value here' },
    });
    await client.list(seller, { ...tickets, id: listingId, faceValue: 50 });
    expect(await take(buyer, countered, 'accept')).toMatchObject({ state: 'held', price: 50 });
  });

  test('also not after the seller moved the tickets to another category, or took them out of the texts', async () => {
    for (const form of [{ category: 'furniture' }, { title: 'Two places for the derby', faceValue: '' }]) {
      const listingId = await list();
      const offered = await offer(listingId, { price: 45 });
      await client.list(seller, { ...tickets, ...form, id: listingId, price: 400 });
      expect((await client.take(seller, offered, 'counter', { price: 400 })).body).toMatchObject({
        fields: { price: 'The seller has to add the face value of the tickets first' },
      });
      expect((await client.take(seller, offered, 'accept')).status).toBe(400);
    }
  });

  test('except of an offer from before a change of the cap, which keeps the earlier one', async () => {
    setCap(undefined);
    try {
      const listingId = await list({ price: 70 });
      const offered = await offer(listingId, { price: 60 });
      setCap(110);
      const other = await testApp.signIn();
      expect((await client.start(other, listingId, { price: 60 })).body).toMatchObject({
        fields: { price: 'At most $55: tickets are resold at up to 110% of face value here' },
      });
      expect((await client.start(other, listingId, { price: 55 })).status).toBe(200);
      const countered = await take(seller, offered, 'counter', { price: 65 });
      expect(await take(buyer, countered, 'accept')).toMatchObject({ state: 'held', price: 65 });
    } finally {
      setCap(100);
    }
  });

  test('also not when the offer and a lower face value arrive at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const listingId = await list();
      const other = await testApp.signIn();
      const [offered] = await Promise.all([
        client.start(other, listingId, { price: 50 }),
        client.list(seller, { ...tickets, id: listingId, faceValue: 42 }),
      ]);
      if (offered.status === 200)
        expect((await client.take(seller, offered.body, 'accept')).status).not.toBe(200);
    }
  });
});

test('tickets are transferred by the seller and received by the buyer, or handed over in person', async () => {
  const held = await hold();
  expect(held).toMatchObject({
    tickets: true,
    transitions: ['propose_handover', 'handed_over', 'transferred', 'cancel'],
  });
  const transferred = await take(seller, held, 'transferred');
  expect(transferred.state).toBe('handed_over');
  expect((await client.listLines(buyer, held)).at(-1)?.message_text).toBe(
    'The seller reported the transfer of the tickets.',
  );
  expect(await take(buyer, transferred, 'received')).toMatchObject({ state: 'completed' });
  expect((await client.take(seller, await hold(), 'handed_over')).status).toBe(200);
});

test('things that are no tickets cannot be transferred and have no cap', async () => {
  const gear = { title: 'Folding chairs for the tailgate', faceValue: null, price: 400 };
  const held = await hold(gear);
  expect(held.tickets).toBeUndefined();
  expect((await client.take(seller, held, 'transferred')).status).toBe(409);
});

describe('a hold of tickets', () => {
  test.each([
    { gameDate: '2026-03-03', end: '2026-03-03T06:00:00.000Z', name: 'two hours before the day of the game' },
    { gameDate: '2026-03-14', end: '2026-03-04T18:00:00.000Z', name: 'earlier, if its hours are over' },
  ])('ends $name', async ({ gameDate, end }) => {
    expect((await hold({ gameDate })).deadline_at).toBe(end);
  });

  test('ends earlier when the game is moved, but not after the tickets were transferred', async () => {
    const listingId = await list();
    const held = await take(seller, await offer(listingId), 'accept');
    await client.list(seller, { ...tickets, id: listingId, faceValue: 50, gameDate: '2026-03-04' });
    expect((await client.get(buyer, held)).deadline_at).toBe('2026-03-04T06:00:00.000Z');
    expect(await take(seller, held, 'transferred')).toMatchObject({
      deadline_at: '2026-03-04T18:00:00.000Z',
    });
  });

  test('that is accepted on the day of the game ends with it, and no time after that can be suggested', async () => {
    const held = await hold({ gameDate: '2026-03-02' });
    expect(held.deadline_at).toBe('2026-03-03T08:00:00.000Z');
    const suggest = (time: string) =>
      client.take(seller, held, 'propose_handover', { place: 'Gate 3', times: [time] });
    expect((await suggest('2026-03-03T08:15:00.000Z')).body).toMatchObject({
      fields: {
        times:
          'Choose a time before the hold of the tickets ends, at the latest two hours before the day of the game',
      },
    });
    expect((await suggest('2026-03-03T02:00:00.000Z')).status).toBe(200);
  });

  test('cannot be extended beyond its latest end', async () => {
    const held = await hold({ gameDate: '2026-03-03' });
    testApp.clock.set(new Date('2026-03-03T04:00:00.000Z'));
    expect((await client.get(seller, held)).transitions).not.toContain('keep_hold');
  });
});

test('nothing is offered any more after the day of the game', async () => {
  const listingId = await list({ gameDate: '2026-03-07' });
  // Daylight saving time begins on March 8.
  testApp.clock.set(new Date('2026-03-08T07:59:59.000Z'));
  buyer = await testApp.signIn();
  const offered = await offer(listingId);
  testApp.clock.set(new Date('2026-03-08T08:00:00.000Z'));
  expect((await client.start(await testApp.signIn(), listingId)).status).toBe(404);
  expect((await client.take(seller, offered, 'accept')).status).toBe(409);
});
