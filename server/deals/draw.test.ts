import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { shuffle } from './draw.ts';
import { createDealClient } from './testing.ts';

const hour = 3600;
let server: TestApp;
let client: ReturnType<typeof createDealClient>;
let giver: Person;
let people: Person[];
beforeAll(async () => {
  server = await startTestApp();
  client = createDealClient(server);
  giver = await server.signIn();
  people = await Promise.all(Array.from({ length: 5 }, () => server.signIn()));
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(new Date('2026-03-02T18:00:00.000Z')));

const listForDraw = () =>
  client.list(giver, {
    title: `Free desk ${randomUUID()}`,
    category: 'free',
    price: 0,
    giftMode: 'draw',
    drawHours: 2,
  });
const claim = async (person: Person | undefined, listingId: string): Promise<Deal> => {
  if (!person) throw new Error('There are five people');
  const { status, body } = await client.start(person, listingId);
  expect([status, body]).toEqual([200, body]);
  return body;
};
const readPosition = async (deal: Deal) => (await client.get(giver, deal)).position;
const draw = async () => {
  await server.jobs.repeatNow('draw-gifts');
  await server.jobs.runAll();
};

describe('promise 69: a draw', () => {
  test('lets every claim before its closing time take part once, and never changes afterwards', async () => {
    const listingId = await listForDraw();
    const claims = await Promise.all(people.slice(0, 4).map((person) => claim(person, listingId)));
    for (const deal of claims)
      expect(deal).toMatchObject({ waiting: true, deadline_at: null, position: null });
    expect((await client.take(giver, claims[0] as Deal, 'accept')).body.code).toBe('deal_moved_on');
    server.clock.advance(2 * hour);
    const late = await claim(people[4], listingId);
    await draw();
    const positions = await Promise.all(claims.map(readPosition));
    expect([...positions].sort()).toEqual([1, 2, 3, 4]);
    expect(await readPosition(late)).toBe(5);
    await draw();
    expect(await Promise.all(claims.map(readPosition))).toEqual(positions);
    const first = claims[positions.indexOf(1)] as Deal;
    expect(await client.get(giver, first)).toMatchObject({
      waiting: false,
      transitions: ['accept', 'decline'],
    });
    const lines = await Promise.all(claims.map((deal) => client.listLines(giver, deal)));
    expect(lines.map((ofDeal) => ofDeal.slice(1))).toEqual(
      positions.map((position) =>
        position === 1
          ? [
              expect.objectContaining({
                message_text: expect.stringMatching(/^The item can be given away now\. The request stands/),
              }),
            ]
          : [],
      ),
    );
    expect((await client.take(giver, first, 'accept')).status).toBe(200);
  });

  test('becomes first come, first served when nobody takes part', async () => {
    const listingId = await listForDraw();
    server.clock.advance(2 * hour);
    await draw();
    expect(await claim(people[0], listingId)).toMatchObject({ waiting: false, position: 1 });
  });

  test('is only for people with a verified campus address', async () => {
    const guest = await server.signIn({ email: `${randomUUID()}@home.example` });
    const { status, body } = await client.start(guest, await listForDraw());
    expect([status, body.code]).toEqual([403, 'campus_badge_required']);
  });

  test('makes every position equally likely over 10,000 draws', () => {
    const size = 5;
    const items = Array.from({ length: size }, (_, index) => index);
    const counts = items.map(() => items.map(() => 0));
    // A generator with a fixed seed (mulberry32) makes the test deterministic.
    let seed = 20260302;
    const random = (below: number): number => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    };
    for (let run = 0; run < 10_000; run += 1)
      for (const [position, item] of shuffle(items, random).entries()) {
        const row = counts[item] as number[];
        row[position] = (row[position] ?? 0) + 1;
      }
    const expected = 10_000 / size;
    const chiSquared = counts.flat().reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // With 16 degrees of freedom, the statistic exceeds this value in one of a thousand runs if all
    // positions are equally likely.
    expect(chiSquared).toBeLessThan(39.25);
  });
});
