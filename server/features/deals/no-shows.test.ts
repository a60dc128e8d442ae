import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deal, dealSchema } from '#contract/deals.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

const minute = 60;
const hour = 60 * minute;
const start = new Date('2026-03-02T18:00:00.000Z');
const meeting = new Date('2026-03-03T20:00:00.000Z');

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
let held: Deal;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

const take = async (person: Person, transition: string, data?: object, deal = held): Promise<Deal> => {
  const { status, body } = await client.take(person, deal, transition, data);
  expect([status, body]).toEqual([200, dealSchema.parse(body)]);
  return body;
};
const startDeal = async (): Promise<Deal> => {
  const { body } = await client.start(buyer, await client.list(seller, { title: `Desk ${randomUUID()}` }));
  return take(seller, 'accept', {}, body);
};
/** Sets the clock to an offset from the agreed time, in seconds (negative: before it). */
const goTo = (seconds: number): void => testApp.clock.set(addSeconds(meeting, seconds));
const mayReport = async (person: Person, seconds: number): Promise<boolean> => {
  goTo(seconds);
  return (await client.get(person, held)).transitions.includes('report_no_show');
};
const expectRefused = async (person: Person, transition: string, data?: object): Promise<void> => {
  const { status, body } = await client.take(person, held, transition, data);
  expect([status, body.code]).toEqual([409, 'deal_moved_on']);
};
const readDealsKept = async ({ userId }: Person): Promise<number | null> =>
  (await testApp.server.inject({ url: `/rest/v1/users/${userId}` })).json().deals_kept;

beforeEach(async () => {
  testApp.clock.set(start);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  held = await startDeal();
  const time = meeting.toISOString();
  await take(buyer, 'propose_handover', { place: 'The fountain', times: [time] });
  await take(seller, 'agree_handover', { time });
});

describe('"I’m here" and "Running late" can be said once', () => {
  test('by each party, and again about another agreed time', async () => {
    goTo(-20 * minute);
    const late = await take(buyer, 'running_late');
    expect(late.handover).toMatchObject({ arrivals: { buyer: 'late', seller: null } });
    await expectRefused(buyer, 'running_late');
    await take(seller, 'here');
    for (const transition of ['here', 'running_late']) await expectRefused(seller, transition);
    expect((await client.get(buyer, held)).handover).toMatchObject({
      arrivals: { buyer: 'late', seller: 'here' },
    });
    const arrived = await take(buyer, 'here');
    expect(arrived.handover).toMatchObject({ arrivals: { buyer: 'here', seller: 'here' } });
    expect(arrived.transitions).not.toContain('here');
    const later = addSeconds(meeting, 15 * minute).toISOString();
    await take(seller, 'propose_handover', { place: 'The fountain', times: [later] });
    const agreed = await take(buyer, 'agree_handover', { time: later });
    expect(agreed.handover).toMatchObject({ arrivals: { buyer: null, seller: null } });
    expect(agreed.transitions).toEqual(expect.arrayContaining(['here', 'running_late']));
    await take(seller, 'here');
  });

  test('late again after a quarter of an hour, but not after arriving', async () => {
    goTo(-20 * minute);
    await take(buyer, 'running_late');
    await take(seller, 'running_late');
    goTo(-5 * minute - 1);
    await expectRefused(buyer, 'running_late');
    goTo(-5 * minute);
    const again = await take(buyer, 'running_late');
    expect(again.handover).toMatchObject({ arrivals: { buyer: 'late', seller: 'late' } });
    await expectRefused(buyer, 'running_late');
    await take(seller, 'here');
    await expectRefused(seller, 'running_late');
  });

  test('although two requests arrive at once', async () => {
    goTo(-20 * minute);
    const answers = await Promise.all([client.take(seller, held, 'here'), client.take(seller, held, 'here')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a no-show can be reported', () => {
  test('by both parties from 15 minutes until 24 hours after the agreed time', async () => {
    for (const person of [seller, buyer])
      for (const [seconds, isPossible] of [
        [15 * minute - 1, false],
        [15 * minute, true],
        [24 * hour, true],
        [24 * hour + 1, false],
      ] as const)
        expect([seconds, await mayReport(person, seconds)]).toEqual([seconds, isPossible]);
    await expectRefused(seller, 'report_no_show');
    goTo(15 * minute - 1);
    await expectRefused(seller, 'report_no_show');
  });

  test('ten minutes later if somebody is running late, and relative to the new time if one is agreed', async () => {
    goTo(-10 * minute);
    await take(seller, 'running_late');
    expect(await mayReport(buyer, 25 * minute - 1)).toBe(false);
    expect(await mayReport(buyer, 25 * minute)).toBe(true);
    goTo(-5 * minute);
    const later = addSeconds(meeting, 2 * hour).toISOString();
    await take(seller, 'propose_handover', { place: 'The fountain', times: [later] });
    await take(buyer, 'agree_handover', { time: later });
    expect(await mayReport(buyer, 2 * hour + 15 * minute - 1)).toBe(false);
    expect(await mayReport(buyer, 2 * hour + 15 * minute)).toBe(true);
  });

  test('and the item is then available to others', async () => {
    goTo(20 * minute);
    const reported = await take(seller, 'report_no_show');
    expect(reported).toMatchObject({ state: 'no_show', deadline_at: null, transitions: [] });
    expect((await client.get(buyer, held)).transitions).toEqual(['report_no_show', 'contest']);
    const other = await testApp.signIn();
    const { body } = await client.start(other, held.listing_id ?? '');
    expect((await client.take(seller, body, 'accept')).status).toBe(200);
  });
});

describe('the share of deals kept', () => {
  // Complete five deals first: profiles display the ratio of kept deals only from five deals on.
  beforeEach(async () => {
    for (let count = 0; count < 5; count += 1) await take(buyer, 'received', {}, await startDeal());
  });

  test('counts a no-show only against the reported person, until that person contests it', async () => {
    goTo(20 * minute);
    await take(seller, 'report_no_show');
    expect([await readDealsKept(buyer), await readDealsKept(seller)]).toEqual([83, 100]);
    await expectRefused(seller, 'contest');
    testApp.clock.advance(48 * hour);
    expect(await take(buyer, 'contest')).toMatchObject({ state: 'no_show', transitions: [] });
    expect([await readDealsKept(buyer), await readDealsKept(seller)]).toEqual([100, 100]);
    await expectRefused(buyer, 'contest');
  });

  test('still counts a report that was contested too late', async () => {
    goTo(20 * minute);
    await take(buyer, 'report_no_show');
    testApp.clock.advance(48 * hour + 1);
    expect((await client.get(seller, held)).transitions).toEqual([]);
    await expectRefused(seller, 'contest');
    expect([await readDealsKept(buyer), await readDealsKept(seller)]).toEqual([100, 83]);
  });

  test('counts nothing against either party if both reported', async () => {
    goTo(20 * minute);
    await take(seller, 'report_no_show');
    expect(await take(buyer, 'report_no_show')).toMatchObject({ state: 'no_show', transitions: [] });
    expect([await readDealsKept(buyer), await readDealsKept(seller)]).toEqual([100, 100]);
    for (const person of [seller, buyer])
      for (const transition of ['report_no_show', 'contest']) await expectRefused(person, transition);
  });

  test.each([
    ['two hours before the agreed time', -2 * hour, 100],
    ['later', -2 * hour + 1, 83],
  ])(
    'counts a cancellation only if it is less than two hours before the agreed time: %s',
    async (_when, seconds, kept) => {
      goTo(seconds);
      await take(seller, 'cancel', { reason: 'I am ill.' });
      expect([await readDealsKept(buyer), await readDealsKept(seller)]).toEqual([100, kept]);
    },
  );

  test('does not count a cancellation if no handover time was agreed', async () => {
    await take(seller, 'cancel', { reason: 'I keep it.' }, await startDeal());
    expect(await readDealsKept(seller)).toBe(100);
  });
});
