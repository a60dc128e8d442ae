import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { categoryFilterFields } from '#contract/category-fields.ts';
import { maxSimilarMatches } from '#contract/paging.ts';
import { createCategoryValue } from '#contract/testing.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  countRowsRead,
  explainGenericPlan,
  explainSentStatements,
  listExecutedPlanNodes,
} from '#server/testing/query-plans.ts';
import type { ListingFilter } from './filter.ts';
import { countMatchingListings, listListingsByScan } from './read-repository.ts';
import { searchListings } from './search-repository.ts';
import { listSimilarMatches } from './similar-search.ts';
import { chooseIndexedWords } from './word-forms.ts';

const listingCount = 3_000;
/** The number up to which matches are counted. It is low enough for a sample to prove that there are more. */
const maxCountedMatches = 1_000;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { userId } = await testApp.signIn();
  // The first listing is the newest. Every listing is a desk or a lamp, and only the oldest is both.
  await testApp.sql`
    INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status,
      contact_email, created_at, updated_at, published_at)
    SELECT 'listing-' || n, ${userId}, 'Offer of the week',
      repeat('·', 40) || ' a chair of size L, with a '
        || CASE WHEN n = ${listingCount} THEN 'desk and a lamp' WHEN n % 2 = 0 THEN 'desk' ELSE 'lamp' END,
      1, 'merchandise', 'good', 'Parkside', 'published', 'a@usc.edu', moment, moment, moment
    FROM generate_series(1, ${listingCount}::int) AS n,
      LATERAL (SELECT ${testApp.clock.now()}::timestamptz - n * interval '1 s' AS moment) AS time`;
  await testApp.sql`ALTER TABLE listings SET (autovacuum_enabled = false)`;
  await testApp.sql`VACUUM ANALYZE listings`;
});
afterAll(() => testApp.close());

/** Sets the number of rows that PostgreSQL assumes the table `listings` to have. */
const setEstimatedListingCount = (count: number) =>
  testApp.sql`UPDATE pg_class SET reltuples = ${count}::real WHERE oid = 'listings'::regclass`;

const listSimilarSlugs = async (sql: Queryable, text: string): Promise<string[]> =>
  (await listSimilarMatches(sql, { today: '2026-03-02', text }, maxSimilarMatches)).map(({ slug }) => slug);

describe('similar matches of common words among a million listings', () => {
  beforeAll(() => setEstimatedListingCount(1_000_000));

  test('are read from the newest listings', async () => {
    expect(await listSimilarSlugs(testApp.sql, 'chairs desks')).toEqual(
      Array.from({ length: maxSimilarMatches }, (_, index) => `listing-${2 * (index + 1)}`),
    );
    const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
      listSimilarSlugs(sql, 'chairs desks'),
    );
    // Three parts of the search read listings: the sample, the scan of the newest listings, and the
    // cards of the results. Together they read few of the 3,000 rows.
    expect(countRowsRead(plans, 'listings')).toBeLessThan(600);
  });

  test('are found by the index when few listings contain all of the words', async () => {
    expect(await listSimilarSlugs(testApp.sql, 'desks lamps')).toEqual([`listing-${listingCount}`]);
  });
});

test('a search for a common text with a size neither counts matches nor uses the index of words', async () => {
  await setEstimatedListingCount(listingCount);
  const search = (sql: Queryable) =>
    searchListings(sql, {
      filter: { today: '2026-03-02', text: 'chair', size: 'large' },
      sort: 'newest',
      after: undefined,
      limit: 24,
      countedTo: maxCountedMatches,
      total: undefined,
    });
  expect((await search(testApp.sql)).total).toBe(maxCountedMatches + 1);
  const plans = await explainSentStatements(testApp.databaseUrl, search);
  const indexes = listExecutedPlanNodes(plans).map(
    (node) => `${node['Node Type']} ${node['Index Name'] ?? ''}`,
  );
  expect(indexes).toContain('Index Only Scan listings_in_size_large');
  expect(indexes).not.toContain('Bitmap Index Scan listings_word_endings');
});

test('counting a category looks nothing up for each listing, also without knowing the category in advance', async () => {
  await setEstimatedListingCount(1_000_000);
  const plan = await explainGenericPlan(testApp.databaseUrl, (sql) =>
    countMatchingListings(sql, { today: '2026-03-02', category: 'merchandise' }, 10_000),
  );
  expect(Math.max(...listExecutedPlanNodes([plan]).map((node) => node['Actual Loops']))).toBe(1);
});

describe.each(categoryFilterFields)('the filter by $column among a million listings', (field) => {
  const [wanted, common] = [createCategoryValue(field, 0), createCategoryValue(field, 1)];

  // Every second listing has another value, and the three oldest have the wanted one.
  beforeAll(async () => {
    await testApp.sql`
      UPDATE listings SET ${identifier(field.column)} = CASE WHEN listing.place > ${listingCount - 3}::int THEN ${wanted}
        WHEN listing.place % 2 = 0 THEN ${common} END
      FROM (SELECT id, row_number() OVER (ORDER BY created_at DESC) AS place FROM listings) AS listing
      WHERE listing.id = listings.id`;
    await testApp.sql`VACUUM ANALYZE listings`;
    await setEstimatedListingCount(1_000_000);
  });

  test.each([true, false])(
    'reads only the listings that have the value, in a category: %s',
    async (isInCategory) => {
      const filter: ListingFilter = {
        today: '2026-03-02',
        [field.column]: wanted,
        ...(isInCategory && { category: 'merchandise' }),
      };
      const request = { filter, sort: 'newest', after: undefined, limit: 24 } as const;
      const found = await listListingsByScan(testApp.sql, request);
      expect(found.cards.map(({ slug }) => slug)).toEqual(
        [2, 1, 0].map((age) => `listing-${listingCount - age}`),
      );
      for (const read of [
        (sql: Sql) => listListingsByScan(sql, request),
        (sql: Sql) => countMatchingListings(sql, filter, 10_000),
      ]) {
        const plan = await explainGenericPlan(testApp.databaseUrl, read);
        expect(countRowsRead([plan], 'listings')).toBeLessThan(20);
      }
    },
  );
});

describe('the words of a similar search that are read from the index', () => {
  const chooseForms = (ratios: Record<string, number>): string[] =>
    chooseIndexedWords(Object.entries(ratios).map(([word, ratio]) => ({ forms: [word], ratio }))).flatMap(
      ({ forms }) => forms,
    );

  test('are all words if each is rare', () => {
    expect(chooseForms({ zither: 0.004, accordion: 0.002 })).toEqual(['accordion', 'zither']);
  });

  test('exclude common words if a rare word leaves few listings to check', () => {
    expect(chooseForms({ the: 0.95, calculus: 0.004, book: 0.2 })).toEqual(['calculus']);
  });

  test('are several common words if each excludes many listings', () => {
    expect(chooseForms({ desk: 0.15, chair: 0.15, the: 0.95 })).toEqual(['desk', 'chair']);
  });
});
