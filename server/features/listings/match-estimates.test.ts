import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { validListingForm } from '#server/testing/listings.ts';
import { hasProvablyMoreIndexedMatches, hasProvablyMoreMatches } from './match-estimates.ts';
import { searchListings } from './search-repository.ts';
import type { ListingPosition } from './sorts.ts';

// With this low limit, a sample contains about half of the table's pages, so a table of a few
// hundred pages is large enough.
const matchLimit = 20;
const listingCount = 2_000;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { userId } = await testApp.signIn();
  await testApp.sql`
    INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status,
      contact_email, created_at, updated_at, published_at)
    SELECT 'many-' || n, ${userId}, ${validListingForm.title},
      repeat('·', 400) || CASE WHEN n % (${listingCount}::int / ${matchLimit}::int) = 0 THEN 'scarce' ELSE '' END,
      n, 'furniture', 'good', 'Parkside', 'published', 'a@usc.edu', moment, moment, moment
    FROM generate_series(1, ${listingCount}::int) AS n,
      LATERAL (SELECT ${testApp.clock.now()}::timestamptz - n * interval '1 s' AS moment) AS time`;
});
afterAll(() => testApp.close());

const collectResults = async (where: Fragment): Promise<boolean[]> => {
  const responses = new Set<boolean>();
  for (let time = 0; time < 40; time += 1)
    responses.add(await hasProvablyMoreMatches(testApp.sql, matchLimit, where));
  return [...responses];
};

test('a sample proves that the matches exceed the limit, whichever pages are drawn', async () => {
  expect(await collectResults(fragment`l.status = 'published'`)).toEqual([true]);
});

test('a sample never overestimates, whether the matches are scattered or adjacent', async () => {
  expect(await collectResults(fragment`strpos(l.search_text, 'scarce') > 0`)).toEqual([false]);
  expect(await collectResults(fragment`l.price <= ${matchLimit}`)).toEqual([false]);
});

test('a sample of the listings in an index proves that the matches exceed a number, and never overestimates', async () => {
  const isProven = (count: number, others: Fragment) =>
    hasProvablyMoreIndexedMatches(testApp.sql, count, { indexed: fragment`l.status = 'published'`, others });
  const everyText = fragment`strpos(l.search_text, '·') > 0`;
  expect(await isProven(listingCount / 2, everyText)).toBe(true);
  expect(await isProven(listingCount, everyText)).toBe(false);
  for (const count of [listingCount / 2, 799, 600])
    expect(await isProven(count, fragment`l.price <= ${count}`)).toBe(false);
});

test.each([
  ['·', 'newest', matchLimit + 1, listingCount],
  ['·', 'relevance', matchLimit + 1, listingCount],
  ['scarce', 'newest', matchLimit, matchLimit],
  ['scarce', 'relevance', matchLimit, matchLimit],
] as const)(
  'a search for %s by %s counts up to %i and returns every page without gaps or duplicates',
  async (text, sort, total, all) => {
    const found: string[] = [];
    let after: ListingPosition | undefined;
    do {
      const page = await searchListings(testApp.sql, {
        filter: { today: '2026-03-02', text },
        sort: sort === 'relevance' && after?.key === null ? 'newest' : sort,
        after,
        limit: 400,
        countedTo: matchLimit,
        total: undefined,
      });
      expect(page.total).toBe(total);
      found.push(...page.cards.map(({ slug }) => slug));
      after = page.end;
    } while (after);
    const step = listingCount / all;
    expect(found).toEqual(Array.from({ length: all }, (_, index) => `many-${(index + 1) * step}`));
  },
);

test('a search whose matches pass the limit between two pages skips none of them', async () => {
  await testApp.sql`UPDATE listings SET title = title || ' scarce' WHERE slug = 'many-1000'`;
  const found: string[] = [];
  let after: ListingPosition | undefined;
  let total: number | undefined;
  do {
    const page = await searchListings(testApp.sql, {
      filter: { text: 'scarce', today: '2026-03-02' },
      sort: after?.key === null ? 'newest' : 'relevance',
      after,
      limit: 1,
      countedTo: matchLimit,
      total,
    });
    if (!after) expect(page.cards.map(({ slug }) => slug)).toEqual(['many-1000']);
    found.push(...page.cards.map(({ slug }) => slug));
    after = page.end;
    total = matchLimit + 1;
  } while (after);
  expect(new Set(found).size).toBe(matchLimit);
  await testApp.sql`UPDATE listings SET title = replace(title, ' scarce', '') WHERE slug = 'many-1000'`;
});

test('titles with a very common text come first among up to 1,000 matches only', async () => {
  await testApp.sql`UPDATE listings SET title = title || ' ··' WHERE slug = 'many-400'`;
  const findFirst = async (filter: {
    maxPrice?: number;
  }): Promise<{ slug: string | undefined; total: number }> => {
    const { cards, total } = await searchListings(testApp.sql, {
      filter: { today: '2026-03-02', text: '··', ...filter },
      sort: 'relevance',
      after: undefined,
      limit: 10,
      countedTo: 10_000,
      total: undefined,
    });
    return { slug: cards[0]?.slug, total };
  };
  expect(await findFirst({ maxPrice: 1000 })).toEqual({ slug: 'many-400', total: 1000 });
  expect(await findFirst({})).toEqual({ slug: 'many-1', total: listingCount });
});
