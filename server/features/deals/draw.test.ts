import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import type { OwnListing } from '#contract/listings.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { shuffle } from './draw.ts';
import { createDealClient } from './testing.ts';

const hour = 3600;
let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let giver: Person;
let people: Person[];
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  giver = await testApp.signIn();
  people = await Promise.all(Array.from({ length: 5 }, () => testApp.signIn()));
});
afterAll(() => testApp.close());
beforeEach(() => testApp.clock.set(new Date('2026-03-02T18:00:00.000Z')));

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
const inHours = (hours: number) =>
  new Date(testApp.clock.now().getTime() + hours * hour * 1000).toISOString();
const save = async (form: ListingForm): Promise<OwnListing> =>
  (await submitListingForm(testApp, giver, { category: 'free', price: 0, ...form })).body.listing;
const setStatus = async (id: string, status: 'draft' | 'published'): Promise<OwnListing> =>
  (await sendRequest(testApp, giver, 'PATCH', `/rest/v1/me/listings/${id}`, { status })).body;
const readPosition = async (deal: Deal) => (await client.get(giver, deal)).position;
const countUnreadOfGiver = async ({ conversation_id: id }: Deal): Promise<number> =>
  (await client.request(giver, 'GET', `/rest/v1/conversations/${id}`)).body.unread_count;
const draw = async () => {
  await testApp.jobs.repeatNow('draw-gifts');
  await testApp.jobs.runAll();
};

describe('promise 69: a draw', () => {
  test('is on the cards of its listing with its closing time, until it is drawn', async () => {
    const listingId = await listForDraw();
    const other = await client.list(giver, {
      title: `Free shelf ${randomUUID()}`,
      category: 'free',
      price: 0,
    });
    const findCard = async (id: string) => {
      const { body } = await client.request(giver, 'GET', '/rest/v1/listings?category=free&limit=100');
      return body.items.find((card: { id: string }) => card.id === id);
    };
    expect((await findCard(listingId)).draw).toEqual({ closes_at: inHours(2) });
    expect(await findCard(other)).not.toHaveProperty('draw');
    await claim(people[0], listingId);
    testApp.clock.advance(2 * hour);
    await draw();
    expect(await findCard(listingId)).not.toHaveProperty('draw');
  });

  test('gives each claim made before closing exactly one position, which never changes afterwards', async () => {
    const listingId = await listForDraw();
    const claims = await Promise.all(people.slice(0, 4).map((person) => claim(person, listingId)));
    for (const deal of claims) {
      await client.request(giver, 'POST', `/rest/v1/conversations/${deal.conversation_id}/read`, {
        seq: 100,
      });
      expect(deal).toMatchObject({
        waiting: true,
        deadline_at: null,
        position: null,
        draw_closes_at: inHours(2),
      });
    }
    expect((await client.take(giver, claims[0] as Deal, 'accept')).body.code).toBe('deal_moved_on');
    testApp.clock.advance(2 * hour);
    const late = await claim(people[4], listingId);
    await draw();
    const positions = await Promise.all(claims.map(readPosition));
    expect([...positions].sort()).toEqual([1, 2, 3, 4]);
    expect(await readPosition(late)).toBe(5);
    await draw();
    expect(await Promise.all(claims.map(readPosition))).toEqual(positions);
    const first = claims[positions.indexOf(1)] as Deal;
    // The giver, who has to answer the drawn claim, is notified of it.
    const unread = await Promise.all(claims.map(countUnreadOfGiver));
    expect(unread).toEqual(positions.map((position) => (position === 1 ? 1 : 0)));
    const drawn = await client.get(giver, first);
    expect(drawn).toMatchObject({ waiting: false, transitions: ['accept', 'decline'] });
    expect(drawn).not.toHaveProperty('draw_closes_at');
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
    testApp.clock.advance(2 * hour);
    await draw();
    expect(await claim(people[0], listingId)).toMatchObject({ waiting: false, position: 1 });
  });

  test('notifies the giver of the first claim if only late claims remain', async () => {
    const listingId = await listForDraw();
    testApp.clock.advance(2 * hour);
    const late = [await claim(people[0], listingId), await claim(people[1], listingId)];
    for (const deal of late)
      await client.request(giver, 'POST', `/rest/v1/conversations/${deal.conversation_id}/read`, {
        seq: 100,
      });
    await draw();
    const unread = await Promise.all(late.map(countUnreadOfGiver));
    expect(unread.sort()).toEqual([0, 1]);
  });

  test('can be set up again if nobody claimed the item, and is again restricted to verified people', async () => {
    const listingId = await listForDraw();
    testApp.clock.advance(2 * hour);
    await draw();
    const after = await save({ id: listingId, giftMode: 'draw', drawHours: 1 });
    expect(after).toMatchObject({ gift_mode: 'draw', draw_closes_at: inHours(1) });
    const guest = await testApp.signIn({ email: `${randomUUID()}@home.example` });
    expect((await client.start(guest, listingId)).body.code).toBe('campus_badge_required');
    const first = await claim(people[0], listingId);
    expect(first).toMatchObject({ waiting: true, position: null });
    testApp.clock.advance(hour);
    await draw();
    expect(await readPosition(first)).toBe(1);
  });

  test('keeps its closing time if the giver unpublishes and republishes the listing after a claim', async () => {
    const listingId = await listForDraw();
    const closesAt = inHours(2);
    const deal = await claim(people[0], listingId);
    testApp.clock.advance(hour);
    await setStatus(listingId, 'draft');
    expect((await setStatus(listingId, 'published')).draw_closes_at).toBe(closesAt);
    await save({ id: listingId, giftMode: 'draw', drawHours: 2, status: 'draft' });
    expect(await save({ id: listingId, giftMode: 'draw', drawHours: 2 })).toMatchObject({
      status: 'published',
      draw_closes_at: closesAt,
    });
    testApp.clock.advance(hour);
    await draw();
    expect(await readPosition(deal)).toBe(1);
  });

  test('gets a new closing time when an unpublished listing without claims is published again', async () => {
    const listingId = await listForDraw();
    await setStatus(listingId, 'draft');
    testApp.clock.advance(3 * hour);
    await draw();
    expect((await setStatus(listingId, 'published')).draw_closes_at).toBe(inHours(2));
  });

  test('leaves out the claims of people who no longer have a verified campus address', async () => {
    const listingId = await listForDraw();
    const claims = await Promise.all(people.slice(0, 3).map((person) => claim(person, listingId)));
    const [unverified] = people;
    await testApp.sql`UPDATE users SET usc_verified = false WHERE id = ${unverified?.userId ?? null}`;
    testApp.clock.advance(2 * hour);
    await draw();
    await testApp.sql`UPDATE users SET usc_verified = true WHERE id = ${unverified?.userId ?? null}`;
    const [position, ...others] = await Promise.all(claims.map(readPosition));
    expect([position, others.sort()]).toEqual([3, [1, 2]]);
  });

  test('is only for people with a verified campus address', async () => {
    const guest = await testApp.signIn({ email: `${randomUUID()}@home.example` });
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
