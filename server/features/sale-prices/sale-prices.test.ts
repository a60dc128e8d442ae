import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import {
  type CompletedDeal,
  computePriceRange,
  type PriceRange,
  type StoredRange,
  updatePriceRange,
} from './price-range.ts';

const start = new Date('2026-03-02T18:00:00Z');
const toDay = (day: number): Date => addSeconds(start, day * dayInSeconds);

const deal = fc.record({
  seller: fc.integer({ min: 0, max: 8 }),
  buyer: fc.integer({ min: 7, max: 18 }),
  price: fc.integer({ min: 1, max: 60 }).map((n) => n * 2.5),
  day: fc.integer({ min: 0, max: 400 }),
});
const history = fc.array(deal, { minLength: 25, maxLength: 70 }).map((deals) =>
  deals
    .filter(({ seller, buyer }) => seller !== buyer)
    .map(
      ({ seller, buyer, price, day }): CompletedDeal => ({
        sellerId: `person ${String(seller).padStart(2, '0')}`,
        buyerId: `person ${String(buyer).padStart(2, '0')}`,
        price,
        completedAt: toDay(day),
      }),
    ),
);

/** The rule once more, as a model: counts and sorts by hand what the half year until a day contains. */
const modelRange = (deals: readonly CompletedDeal[], until: Date): PriceRange | undefined => {
  const from = addSeconds(until, -180 * dayInSeconds);
  const last: CompletedDeal[] = [];
  for (const it of deals.filter(({ completedAt }) => completedAt > from && completedAt <= until)) {
    const isPair = (other: CompletedDeal) =>
      [it.sellerId, it.buyerId].every((id) => [other.sellerId, other.buyerId].includes(id));
    const index = last.findIndex(isPair);
    if (index < 0) last.push(it);
    else if ((last[index]?.completedAt ?? it.completedAt) <= it.completedAt) last[index] = it;
  }
  const sellers = [...new Set(last.map(({ sellerId }) => sellerId))];
  const buyers = new Set(last.map(({ buyerId }) => buyerId).filter((id) => !sellers.includes(id)));
  if (last.length < 5 || sellers.length < 4 || buyers.size < 4) return undefined;
  const prices = sellers.map((seller) => {
    const own = last.filter(({ sellerId }) => sellerId === seller).map(({ price }) => price);
    own.sort((a, b) => a - b);
    return own[Math.floor(own.length / 2)] ?? 0;
  });
  prices.sort((a, b) => a - b);
  const omitted = Math.floor(prices.length / 4);
  const kept = prices.slice(omitted, prices.length - omitted);
  return { low: Math.min(...kept), high: Math.max(...kept) };
};

describe('promise 120: a price range', () => {
  test('is shown exactly when five deals of four sellers are, contains the prices of the model, and is rounded', () => {
    let shown = 0;
    fc.assert(
      fc.property(history, fc.integer({ min: 100, max: 420 }), (deals, day) => {
        // Deals of the same two people on one day would be in no order.
        const distinct = deals.map((it, index) => ({
          ...it,
          completedAt: addSeconds(it.completedAt, index),
        }));
        const model = modelRange(distinct, toDay(day));
        const range = computePriceRange(distinct, toDay(day));
        expect(range === undefined).toBe(model === undefined);
        if (!range || !model) return;
        shown += 1;
        expect(range.low).toBeLessThanOrEqual(model.low);
        expect(range.high).toBeGreaterThanOrEqual(model.high);
        expect(range.high).toBeGreaterThan(range.low);
        expect(range.high - range.low).toBeLessThan(model.high - model.low + 40);
        expect([range.low % 1, range.high % 1]).toEqual([0, 0]);
      }),
      { numRuns: 400 },
    );
    expect(shown).toBeGreaterThan(100);
  });

  test('changes only with the deals of four sellers, and is never older than 90 days', () => {
    let changes = 0;
    fc.assert(
      fc.property(history, (deals) => {
        let stored: StoredRange | undefined;
        for (let day = 0; day <= 420; day += 3) {
          const now = toDay(day);
          const known = deals.filter(({ completedAt }) => completedAt <= now);
          const next = updatePriceRange(known, stored, now);
          if (next?.isShown) {
            expect(modelRange(known, now)).toBeDefined();
            expect(now.getTime() - next.dealsUntil.getTime()).toBeLessThan(90 * dayInSeconds * 1000);
          }
          if (stored && next && stored.dealsUntil.getTime() !== next.dealsUntil.getTime()) {
            const before = stored.dealsUntil;
            const isIn = ({ completedAt }: CompletedDeal, until: Date) =>
              completedAt <= until && completedAt > addSeconds(until, -180 * dayInSeconds);
            const moved = known.filter((it) => isIn(it, before) !== isIn(it, now));
            const isDisjoint = before <= addSeconds(now, -180 * dayInSeconds);
            expect(isDisjoint || new Set(moved.map(({ sellerId }) => sellerId)).size >= 4).toBe(true);
            changes += 1;
          }
          stored = next;
        }
      }),
      { numRuns: 100 },
    );
    expect(changes).toBeGreaterThan(50);
  });

  test('does not follow one person who completes deals with friends', () => {
    const honest = [40, 42, 48, 55, 52].map((price, index) => ({
      sellerId: `seller ${index}`,
      buyerId: `buyer ${index}`,
      price,
      completedAt: toDay(index),
    }));
    const fake = Array.from({ length: 50 }, (_, index) => ({
      sellerId: 'faker',
      buyerId: `friend ${index % 3}`,
      price: 900,
      completedAt: toDay(10 + index / 10),
    }));
    expect(computePriceRange(honest, toDay(20))).toEqual({ low: 40, high: 55 });
    const range = computePriceRange([...honest, ...fake], toDay(20));
    expect(range?.high).toBeLessThanOrEqual(60);
    expect(computePriceRange(fake, toDay(20))).toBeUndefined();
  });
});

describe('what similar things sold for', () => {
  let testApp: TestApp;
  let people: Person[];
  beforeAll(async () => {
    testApp = await startTestApp();
  });
  beforeEach(async () => {
    people = await Promise.all(Array.from({ length: 10 }, () => testApp.signIn()));
    await testApp.sql`DELETE FROM deals`;
    await testApp.sql`DELETE FROM sale_price_ranges`;
  });
  afterAll(() => testApp.close());

  const sell = async (seller: Person, buyer: Person, price: number, form: object = {}): Promise<void> => {
    // The same listing within seconds would count as a double click.
    testApp.clock.advance(11);
    const title = 'Kallax shelf with four cubes';
    const { body } = await submitListingForm(testApp, seller, { title, ...form });
    const { id } = body.listing;
    const now = testApp.clock.now();
    await testApp.sql`
      WITH c AS (
        INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
        VALUES (${id}, ${title}, ${buyer.userId}, ${seller.userId}, ${now}, ${now}) RETURNING id
      )
      INSERT INTO deals (id, listing_id, conversation_id, buyer_id, seller_id, kind, state, title, price, created_at, changed_at,
        completed_at)
      SELECT ${randomUUID()}, ${id}, c.id, ${buyer.userId}, ${seller.userId}, 'sale', 'completed',
        ${body.listing.title}, ${price}, ${now}, ${now}, ${now} FROM c`;
  };
  const sellFive = async (form: object = {}, count = 5): Promise<void> => {
    for (const [index, price] of [40, 42, 48, 55, 52].slice(0, count).entries())
      await sell(people[index % 4] as Person, people[5 + index] as Person, price, form);
  };
  const find = async (query: Record<string, string>) => {
    await testApp.jobs.repeatNow('compute-sale-prices');
    const response = await testApp.server.inject({
      url: `/rest/v1/sale-prices?${new URLSearchParams(query)}`,
    });
    expect(response.statusCode, response.body).toBe(200);
    return response.json().range;
  };
  const shelf = { category: 'furniture', title: 'KALLAX shelf, white' };

  test('is known from the fifth deal on, for the same category and leading words', async () => {
    await sellFive({}, 4);
    expect(await find(shelf)).toBeNull();
    await testApp.sql`DELETE FROM deals`;
    await sellFive();
    expect(await find(shelf)).toEqual({ low: expect.any(Number), high: expect.any(Number) });
    expect(await find({ ...shelf, category: 'kitchen' })).toBeNull();
    expect(await find({ ...shelf, title: 'Kallax' })).toBeNull();
    testApp.clock.advance(181 * dayInSeconds);
    expect(await find(shelf)).toBeNull();
  });

  test('is known for the same ISBN, whatever the titles are', async () => {
    const book = { category: 'textbooks', isbn: '0-13-110362-8' };
    await sellFive(book);
    expect(
      await find({ ...book, title: 'The C Programming Language', isbn: '9780131103627' }),
    ).not.toBeNull();
    expect(await find({ category: 'textbooks', title: 'The C Programming Language' })).toBeNull();
  });

  test('is not known twice of the same deals, from which the price of one more could be told', async () => {
    const title = 'The C Programming Language';
    const book = { category: 'textbooks', isbn: '0-13-110362-8', title };
    await sellFive(book);
    await sell(people[4] as Person, people[9] as Person, 45, { category: 'textbooks', title });
    expect(await find(book)).not.toBeNull();
    expect(await find({ category: 'textbooks', title })).toBeNull();
  });
});
