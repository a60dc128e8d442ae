import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deal, dealSchema } from '#contract/deals.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let other: Person;
let listingId: string;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  other = await testApp.signIn({ fullName: 'Otto Other' });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  listingId = await client.list(seller, { title: `Desk ${randomUUID()}`, price: 110 });
});

const hour = 3600;
const offer = async (person = buyer, wanted: object = {}): Promise<Deal> => {
  const { status, body } = await client.start(person, listingId, wanted);
  expect([status, body]).toEqual([200, dealSchema.parse(body)]);
  return body;
};
const take = async (person: Person, deal: Deal, transition: string, data?: object): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, body]);
  expect(body).toEqual(dealSchema.parse(body));
  return body;
};
const readListing = async () => {
  const [row] = await testApp.sql`SELECT status, is_on_hold FROM listings WHERE id = ${listingId}`;
  return row;
};

test('a sale goes from offer through counter-offer and hold to completion, and the listing becomes sold', async () => {
  const offered = await offer(buyer, { price: 90, message_text: 'Could I have it for 90?' });
  expect(offered).toMatchObject({
    state: 'offered',
    turn: 'seller',
    price: 90,
    waiting: false,
    transitions: ['withdraw'],
  });
  expect(offered.other?.id).toBe(seller.userId);
  const countered = await take(seller, offered, 'counter', { price: 100 });
  expect(countered).toMatchObject({ state: 'offered', turn: 'buyer', price: 100, transitions: ['withdraw'] });
  const held = await take(buyer, countered, 'accept');
  expect(held).toMatchObject({
    state: 'held',
    turn: null,
    transitions: ['propose_handover', 'received', 'cancel'],
  });
  expect(await readListing()).toEqual({ status: 'published', is_on_hold: true });
  expect(await take(seller, held, 'handed_over')).toMatchObject({ state: 'handed_over', transitions: [] });
  expect(await take(buyer, held, 'received')).toMatchObject({
    state: 'completed',
    deadline_at: null,
    transitions: [],
  });
  expect(await readListing()).toEqual({ status: 'sold', is_on_hold: false });
  const lines = await client.listLines(buyer, offered);
  expect(lines.map(({ message_text }) => message_text)).toEqual([
    'The buyer offered $90.',
    'The seller suggested $100.',
    expect.stringMatching(/^The buyer accepted\. The item is on hold until Wed, Mar 4, 10:00\sAM\.$/),
    'The seller reported the handover.',
    'The buyer has the item.',
  ]);
});

describe('an offer', () => {
  test('uses the price of the listing if it names no price', async () => {
    expect(await offer()).toMatchObject({ price: 110, kind: 'sale' });
  });

  test.each([
    [{ price: 0 }, 'price', 'Price must be greater than 0'],
    [{ price: 100_000.01 }, 'price', 'Price must be at most $100,000.00'],
    [{ price: 1.005 }, 'price', 'Price can have at most 2 decimal places'],
    [
      { first_day: '2026-03-04', last_day: '2026-03-05' },
      'first_day',
      'Only rentals have a first and a last day',
    ],
    [{ message_text: ' ' }, 'message_text', 'Please enter a message'],
  ])('with %o is rejected with an error for the invalid field', async (wanted, field, sentence) => {
    const { status, body } = await client.start(buyer, listingId, wanted);
    expect([status, body.fields]).toEqual([400, { [field]: sentence }]);
  });

  test('must match a firm price', async () => {
    const firm = await client.list(seller, {
      title: 'A chair with a firm price',
      price: 60,
      isPriceFirm: true,
    });
    expect((await client.start(buyer, firm, { price: 50 })).body.fields).toEqual({
      price: 'The price of this listing is firm',
    });
    expect((await client.start(buyer, firm, { price: 60 })).status).toBe(200);
  });

  test('is refused for the buyer’s own listing, a missing listing and a draft', async () => {
    expect((await client.start(seller, listingId)).body.code).toBe('own_listing');
    expect((await client.start(buyer, randomUUID())).body.code).toBe('listing_not_found');
    await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${listingId}`;
    expect((await client.start(buyer, listingId)).body.code).toBe('listing_not_found');
  });

  test('cannot be repeated by its buyer while it is open', async () => {
    const first = await offer();
    const { status, body } = await client.start(buyer, listingId);
    expect([status, body.code, body.deal.id]).toEqual([409, 'deal_moved_on', first.id]);
    await take(buyer, first, 'withdraw');
    expect((await client.start(buyer, listingId)).status).toBe(200);
  });

  test('promise 66: cannot be answered after its deadline, even before the job has run', async () => {
    const offered = await offer();
    testApp.clock.advance(48 * hour - 1);
    expect((await client.get(seller, offered)).transitions).toContain('accept');
    testApp.clock.advance(1);
    expect((await client.get(seller, offered)).transitions).toEqual([]);
    const { status, body } = await client.take(seller, offered, 'accept');
    expect([status, body.code, body.deal.state]).toEqual([409, 'deal_moved_on', 'offered']);
    await testApp.jobs.repeatNow('apply-deal-deadlines');
    expect(await client.get(seller, offered)).toMatchObject({ state: 'expired', deadline_at: null });
  });

  test('promise 65: looks to strangers like one that does not exist', async () => {
    const offered = await offer();
    const missing = await client.take(other, { id: randomUUID() }, 'accept');
    expect(missing.body.code).toBe('deal_not_found');
    expect(await client.take(other, offered, 'accept')).toEqual(missing);
    const missingRead = await client.request(other, 'GET', `/rest/v1/deals/${randomUUID()}`);
    expect(await client.request(other, 'GET', `/rest/v1/deals/${offered.id}`)).toEqual(missingRead);
    expect((await client.request(other, 'GET', `/rest/v1/me/listings/${listingId}/deals`)).status).toBe(404);
  });
});

describe('promise 63: a repeated call', () => {
  test('starts only one deal', async () => {
    const wanted = { client_id: randomUUID() };
    const first = await offer(buyer, wanted);
    expect(await offer(buyer, wanted)).toEqual(first);
    await take(buyer, first, 'withdraw');
    expect((await offer(buyer, wanted)).id).toBe(first.id);
    expect(await client.listLines(buyer, first)).toHaveLength(2);
  });

  test('makes only one transition, even if the deal has moved on since', async () => {
    const offered = await offer();
    const key = { client_id: randomUUID() };
    const held = await take(seller, offered, 'accept', key);
    expect(await take(seller, offered, 'accept', key)).toEqual(held);
    await take(buyer, offered, 'received');
    expect(await take(seller, offered, 'accept', key)).toMatchObject({ state: 'completed' });
    expect(await client.listLines(buyer, offered)).toHaveLength(3);
  });

  test('makes only one transition, even if the same transition is possible again', async () => {
    const offered = await offer();
    await take(seller, offered, 'accept');
    const suggestion = {
      client_id: randomUUID(),
      place: 'The fountain',
      times: [addSeconds(testApp.clock.now(), 24 * 3600).toISOString()],
    };
    const suggested = await take(seller, offered, 'propose_handover', suggestion);
    expect(await take(seller, offered, 'propose_handover', suggestion)).toEqual(suggested);
    expect(await client.listLines(buyer, offered)).toHaveLength(3);
    // Repeating the request succeeds even after the suggested time has passed and the deal is completed.
    await take(buyer, offered, 'received');
    testApp.clock.advance(48 * 3600);
    expect(await take(seller, offered, 'propose_handover', suggestion)).toMatchObject({ state: 'completed' });
  });

  test('is refused if its client id belongs to a message', async () => {
    const offered = await offer();
    const key = { client_id: randomUUID() };
    const url = `/rest/v1/conversations/${offered.conversation_id}/messages`;
    await client.request(seller, 'POST', url, { ...key, message_text: 'Yes, gladly' });
    const { status, body } = await client.take(seller, offered, 'accept', key);
    expect([status, body.fields]).toEqual([400, { client_id: 'This id belongs to a message' }]);
    expect(await client.get(buyer, offered)).toMatchObject({ state: 'offered' });
  });
});

describe('a hold', () => {
  test('promise 66: does not revive an offer whose deadline has passed, even before the job has run', async () => {
    const expired = await offer(other);
    testApp.clock.advance(hour);
    const answered = await offer();
    testApp.clock.advance(47 * hour + 60);
    await take(seller, answered, 'accept');
    expect(await client.get(other, expired)).toMatchObject({
      state: 'offered',
      waiting: false,
      transitions: [],
    });
    await testApp.jobs.repeatNow('apply-deal-deadlines');
    expect(await client.get(other, expired)).toMatchObject({ state: 'expired' });
  });

  test('makes other offers wait without a deadline, and renews them when it ends', async () => {
    const [first, second] = [await offer(), await offer(other)];
    const held = await take(seller, first, 'accept');
    const waiting = await client.get(seller, second);
    expect(waiting).toMatchObject({ waiting: true, deadline_at: null, transitions: ['counter', 'decline'] });
    const { status, body } = await client.take(seller, second, 'accept');
    expect([status, body.code]).toEqual([409, 'deal_moved_on']);
    const { body: about } = await client.request(other, 'GET', `/rest/v1/deals/about/${listingId}`);
    expect(about).toMatchObject({ deal: { id: second.id }, other_offers: 0 });

    await take(buyer, held, 'cancel', { reason: 'I found another one.' });
    expect(await readListing()).toEqual({ status: 'published', is_on_hold: false });
    await testApp.jobs.runAll();
    expect(await client.get(seller, second)).toMatchObject({
      waiting: false,
      deadline_at: '2026-03-04T18:00:00.000Z',
      transitions: ['counter', 'accept', 'decline'],
    });
    expect((await client.listLines(other, second)).at(-1)).toMatchObject({ kind: 'system' });
  });

  test('closes the other offers when the item was handed over', async () => {
    const [first, second] = [await offer(), await offer(other)];
    await take(seller, first, 'accept');
    await take(buyer, first, 'received');
    await testApp.jobs.runAll();
    expect(await client.get(other, second)).toMatchObject({ state: 'closed', transitions: [] });
    expect((await client.listLines(other, second)).at(-1)?.message_text).toBe(
      'This deal was closed: the item was sold to somebody else.',
    );
  });

  test('lapses without a handover, and can be extended once by each of two transitions in its last three hours', async () => {
    const held = await take(seller, await offer(), 'accept');
    const refuse = async (person: Person, transition: string) => {
      const { status, body } = await client.take(person, held, transition);
      expect([status, body.code]).toEqual([409, 'deal_moved_on']);
    };
    testApp.clock.advance(45 * hour - 1);
    for (const transition of ['agreed_in_chat', 'keep_hold']) await refuse(seller, transition);
    testApp.clock.advance(1);
    await refuse(buyer, 'keep_hold');
    const longer = await take(buyer, held, 'agreed_in_chat');
    expect(longer.deadline_at).toBe('2026-03-07T18:00:00.000Z');
    testApp.clock.advance(72 * hour);
    for (const person of [buyer, seller]) await refuse(person, 'agreed_in_chat');
    expect((await take(seller, held, 'keep_hold')).deadline_at).toBe('2026-03-09T18:00:00.000Z');
    testApp.clock.advance(48 * hour);
    await refuse(seller, 'keep_hold');
    testApp.clock.set(new Date('2026-03-09T18:00:00.000Z'));
    await testApp.jobs.repeatNow('apply-deal-deadlines');
    expect(await client.get(buyer, held)).toMatchObject({ state: 'lapsed' });
    expect(await readListing()).toEqual({ status: 'published', is_on_hold: false });
  });

  test('resumes for 48 hours when the buyer objects to the handover, which is possible only once', async () => {
    const held = await take(seller, await offer(), 'accept');
    await take(seller, held, 'handed_over');
    testApp.clock.advance(47 * hour);
    expect(await take(buyer, held, 'object')).toMatchObject({
      state: 'held',
      deadline_at: '2026-03-06T17:00:00.000Z',
    });
    await take(seller, held, 'handed_over');
    expect((await client.get(buyer, held)).transitions).toEqual(['received']);
    expect((await client.take(buyer, held, 'object')).body.code).toBe('deal_moved_on');
    testApp.clock.advance(48 * hour);
    await testApp.jobs.repeatNow('apply-deal-deadlines');
    expect((await client.get(buyer, held)).state).toBe('completed');
  });

  test('that is canceled less than two hours before the agreed time counts as canceled late', async () => {
    const held = await take(seller, await offer(), 'accept');
    const time = '2026-03-03T20:00:00.000Z';
    await take(buyer, held, 'propose_handover', { place: 'The fountain', times: [time] });
    const agreed = await take(seller, held, 'agree_handover', { time });
    expect(agreed.handover).toEqual({
      spot_id: null,
      place: 'The fountain',
      time,
      agreed: true,
      arrivals: { buyer: null, seller: null },
      proposal: null,
    });
    testApp.clock.set(new Date('2026-03-03T18:00:01.000Z'));
    await take(buyer, held, 'cancel', { reason: 'I am ill.' });
    const [row] = await testApp.sql`SELECT cancelled_by, is_late FROM deals WHERE id = ${held.id}`;
    expect(row).toEqual({ cancelled_by: 'buyer', is_late: true });
  });
});

test('the list of deals is paged and filtered by role, state and conversation', async () => {
  const person = await testApp.signIn();
  const sold = await client.list(person);
  const first = (await client.start(other, sold)).body;
  const own = await offer(person);
  const read = async (query: string) =>
    (await client.request(person, 'GET', `/rest/v1/deals${query}`)).body.items.map(({ id }: Deal) => id);
  expect(new Set(await read(''))).toEqual(new Set([own.id, first.id]));
  expect(await read('?role=seller')).toEqual([first.id]);
  expect(await read('?role=buyer&state=offered')).toEqual([own.id]);
  expect(await read('?state=completed')).toEqual([]);
  expect(await read(`?conversation_id=${own.conversation_id}`)).toEqual([own.id]);
});

test('a buyer can have at most ten open offers, and start at most five deals about one listing in a week', async () => {
  const person = await testApp.signIn();
  for (let count = 0; count < 5; count += 1) {
    const deal = await offer(person);
    await take(person, deal, 'withdraw');
  }
  const { status, body } = await client.start(person, listingId);
  expect([status, body.code]).toEqual([429, 'rate_limited']);
  for (let count = 0; count < 10; count += 1) {
    expect(
      (await client.start(person, await client.list(seller, { title: `A wooden chair ${count}` }))).status,
    ).toBe(200);
  }
  const eleventh = await client.start(person, await client.list(seller, { title: 'The eleventh chair' }));
  expect([eleventh.status, eleventh.body.code]).toEqual([409, 'too_many_offers']);
});

test('the owner’s listing says how many offers wait, whom it is on hold for, and when they meet', async () => {
  const readOwn = async () =>
    (
      await testApp.server.inject({ url: `/rest/v1/me/listings/${listingId}`, headers: seller.headers })
    ).json();
  await offer(other);
  const offered = await offer();
  expect(await readOwn()).toMatchObject({ waiting_offers: 2, hold: null });
  const held = await take(seller, offered, 'accept');
  const hold = { name: 'Ben Buyer', meets_at: null, is_handed_over: false };
  const { waiting_offers, hold: stored } = await readOwn();
  expect({ waiting_offers, hold: stored }).toMatchObject({ waiting_offers: 1, hold });
  expect(Date.parse(stored.until)).toBe(Date.parse(held.deadline_at ?? ''));
  const time = addSeconds(testApp.clock.now(), 24 * hour).toISOString();
  const proposed = await take(buyer, held, 'propose_handover', { place: 'Doheny', times: [time] });
  await take(seller, proposed, 'agree_handover', { time });
  const { hold: agreed } = await readOwn();
  expect(Date.parse(agreed.meets_at)).toBe(Date.parse(time));
});
