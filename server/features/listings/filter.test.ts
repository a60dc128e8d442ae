import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameDayListingKinds, merchandiseSizes } from '#contract/listing-queries.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingFilter, toFilterCondition } from './filter.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const explainFilter = async (filter: Omit<ListingFilter, 'today'>): Promise<string> =>
  JSON.stringify(
    await testApp.sql`
    EXPLAIN SELECT FROM listings l WHERE ${toFilterCondition({ today: '2026-03-02', ...filter }, undefined)}
    ORDER BY l.created_at DESC, l.id DESC LIMIT 25`,
  );

test.each(merchandiseSizes)('listings of size %s are read from the index of that size', async (size) => {
  for (const filter of [{ size }, { size, category: 'merchandise' }, { size, minPrice: 10 }] as const)
    expect(await explainFilter(filter)).toContain(`listings_in_size_${size}`);
});

test.each(gameDayListingKinds)('listings of kind %s are read from the index of that kind', async (kind) => {
  for (const filter of [{ kind }, { kind, category: 'rentals' }, { kind, verified: true }] as const)
    expect(await explainFilter(filter)).toContain(`listings_of_kind_${kind.replace('-', '_')}`);
});

test('listings of a size and a kind are read from one index, without checking their texts', async () => {
  // Tickets have no size.
  for (const size of merchandiseSizes)
    for (const kind of gameDayListingKinds.filter((it) => it !== 'tickets')) {
      const plan = await explainFilter({ category: 'merchandise', size, kind });
      expect(plan).toContain(`listings_in_size_${size}`);
      expect(plan).toMatch(/Index Cond: [^"]*has_kind/);
      expect(plan).not.toMatch(/Filter: [^"]*has_(kind|size)/);
    }
});
