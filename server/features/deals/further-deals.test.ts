import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChangedDeal, Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

// Tests of transitions about the handover that are made for several deals of the same two people at once.

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let kettle: Deal;
let lamp: Deal;
let rug: Deal;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

const hold = async (
  title: string,
  { from = seller, to = buyer, form = {}, wanted = {} } = {},
): Promise<Deal> => {
  const listingId = await client.list(from, { title, ...form });
  const { body } = await client.start(to, listingId, wanted);
  return (await client.take(from, body, 'accept')).body;
};
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
  [kettle, lamp, rug] = [
    await hold('Kettle of steel'),
    await hold('Desk lamp in red'),
    await hold('Rug of gray wool'),
  ];
});

const time = '2026-03-04T20:00:00.000Z';
const place = 'Doheny Library';
const toIds = (deals: Pick<Deal, 'id'>[] = []) => deals.map(({ id }) => id);
const suggest = (person: Person, deal: Deal, further: Pick<Deal, 'id'>[], data: object = {}) =>
  client.take(person, deal, 'propose_handover', { place, times: [time], also_for: toIds(further), ...data });
const agree = (person: Person, deal: Deal, further: Pick<Deal, 'id'>[], data: object = {}) =>
  client.take(person, deal, 'agree_handover', { time, place, also_for: toIds(further), ...data });
const expectSuccess = ({ status, body }: { status: number; body: ChangedDeal }): ChangedDeal => {
  expect([status, body]).toEqual([200, body]);
  return body;
};
const listTransitions = async (deal: Deal): Promise<string[]> =>
  (await client.listLines(buyer, deal)).map(({ data }) => (data as { transition: string }).transition);

describe('a handover of several items', () => {
  test('is suggested and agreed with one call each, and every deal has its own lines', async () => {
    const suggested = expectSuccess(await suggest(buyer, kettle, [lamp, rug]));
    expect([toIds(suggested.also_for), suggested.skipped]).toEqual([[lamp.id, rug.id], []]);
    for (const deal of [kettle, lamp, rug])
      expect((await client.get(seller, deal)).handover?.proposal).toMatchObject({
        ...{ place, times: [time], by: 'buyer' },
      });

    const agreed = expectSuccess(await agree(seller, lamp, [kettle, rug]));
    expect(toIds(agreed.also_for)).toEqual([kettle.id, rug.id]);
    for (const deal of [kettle, lamp, rug]) {
      expect((await client.get(buyer, deal)).handover).toMatchObject({ time, place, agreed: true });
      expect(await listTransitions(deal)).toEqual(['offer', 'accept', 'propose_handover', 'agree_handover']);
    }
  });

  test('is suggested once when the call is repeated, and the response is the same', async () => {
    const client_id = randomUUID();
    const first = expectSuccess(await suggest(buyer, kettle, [lamp], { client_id }));
    const second = expectSuccess(await suggest(buyer, kettle, [lamp, kettle, lamp], { client_id }));
    expect(second).toEqual(first);
    expect(await listTransitions(lamp)).toEqual(['offer', 'accept', 'propose_handover']);
  });

  test('needs no further deals, and its response then names none', async () => {
    expect(expectSuccess(await suggest(buyer, kettle, []))).not.toHaveProperty('also_for');
    const body = { client_id: randomUUID(), transition: 'agree_handover', time };
    const path = `/rest/v1/deals/${kettle.id}/transitions`;
    expect(expectSuccess(await client.request(seller, 'POST', path, body))).not.toHaveProperty('skipped');
  });
});

describe('a deal that allows the transition no more', () => {
  test('is skipped and named, and the others change', async () => {
    await suggest(buyer, kettle, [lamp, rug]);
    await client.take(buyer, lamp, 'cancel', { reason: 'Found another one' });
    await client.take(buyer, rug, 'propose_handover', { place: 'Plaza', times: [time] });
    const agreed = expectSuccess(await agree(seller, kettle, [lamp, rug]));
    expect(agreed.handover?.agreed).toBe(true);
    expect(agreed.also_for).toEqual([]);
    expect(agreed.skipped).toMatchObject([
      { id: lamp.id, state: 'cancelled' },
      { id: rug.id, state: 'held', handover: { agreed: false, proposal: { place: 'Plaza' } } },
    ]);
  });

  test('is skipped when the suggested time does not suit its rental days', async () => {
    const bike = await hold('City bike, 7 gears', {
      form: { category: 'rentals', price: 12 },
      wanted: { price: 30, first_day: '2026-03-10', last_day: '2026-03-12' },
    });
    const suggested = expectSuccess(await suggest(buyer, kettle, [bike, lamp]));
    expect([toIds(suggested.also_for), toIds(suggested.skipped)]).toEqual([[lamp.id], [bike.id]]);
  });

  test('changes nothing for the others if it is the one that the call is about', async () => {
    await suggest(buyer, kettle, [lamp]);
    await client.take(buyer, kettle, 'cancel', { reason: 'Found another one' });
    const { status, body } = await agree(seller, kettle, [lamp]);
    expect([status, body.code, body.deal.state]).toEqual([409, 'deal_moved_on', 'cancelled']);
    expect((await client.get(seller, lamp)).handover?.agreed).toBe(false);
  });
});

describe('deals of other people', () => {
  test('answer like missing ones, and nothing changes', async () => {
    const stranger = await testApp.signIn();
    const withStranger = await hold('Shelf for books', { to: stranger });
    const ofStrangers = await hold('Mirror with feet', { from: await testApp.signIn(), to: stranger });
    for (const other of [withStranger, ofStrangers, { id: randomUUID() }]) {
      expect((await suggest(seller, kettle, [lamp, other])).status).toBe(404);
      expect((await suggest(stranger, kettle, [other])).status).toBe(404);
    }
    expect((await client.get(seller, lamp)).handover).toBeNull();
    expect((await client.get(stranger, withStranger)).handover).toBeNull();
  });

  test('are not among the deals with one person', async () => {
    await hold('Shelf for books', { to: await testApp.signIn() });
    const reverse = await hold('Teapot of glass', { from: buyer, to: seller });
    const { body } = await client.request(
      seller,
      'GET',
      `/rest/v1/deals?state=held&other_id=${buyer.userId}`,
    );
    expect(toIds(body.items).sort()).toEqual(toIds([reverse, rug, lamp, kettle]).sort());
  });
});

describe('calls at the same time', () => {
  test('that name the same deals in another order all end, and each deal has one winner', async () => {
    await suggest(buyer, kettle, [lamp, rug]);
    const deals = [kettle, lamp, rug];
    const calls = deals.flatMap((deal) => {
      const others = deals.filter((it) => it !== deal).reverse();
      return [agree(seller, deal, others), client.take(buyer, deal, 'cancel', { reason: 'Too late' })];
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    for (const deal of deals) {
      expect((await client.get(buyer, deal)).state).toBe('cancelled');
      const made = await listTransitions(deal);
      expect(made.filter((name) => name === 'agree_handover').length).toBeLessThanOrEqual(1);
      expect(made.filter((name) => name === 'cancel')).toHaveLength(1);
      const lines = await client.listLines(buyer, deal);
      expect(lines.map(({ data }) => (data as { number: number }).number)).toEqual(made.map((_, n) => n + 1));
    }
  });

  test('from both people and messages in the same conversations lose nothing', async () => {
    const deals = [kettle, lamp, rug];
    const write = ({ conversation_id: id }: Deal) =>
      client.request(seller, 'POST', `/rest/v1/conversations/${id}/messages`, {
        client_id: randomUUID(),
        message_text: 'See you there',
      });
    const responses = await Promise.all([
      ...[1, 2, 3].map(() => suggest(buyer, kettle, [rug, lamp])),
      ...[1, 2, 3].map(() => suggest(seller, rug, [lamp, kettle])),
      ...deals.flatMap((deal) => [write(deal), write(deal)]),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    for (const deal of deals)
      expect(await listTransitions(deal)).toEqual([
        ...['offer', 'accept'],
        ...Array.from({ length: 6 }, () => 'propose_handover'),
      ]);
  });
});
