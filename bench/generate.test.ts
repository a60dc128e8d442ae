import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { type BenchDatabase, openBenchDatabase } from './bench-database.ts';
import { generateListings } from './generate.ts';
import { addGoods } from './goods.ts';
import { measureIndexCosts } from './measure.ts';
import { addUserWithConversations } from './people.ts';
import { listQueryKinds } from './query-kinds.ts';

const listingCount = 1_000;
let database: TestDatabase;
let benchDatabase: BenchDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  benchDatabase = openBenchDatabase(database.url);
  await generateListings(benchDatabase.sql, listingCount / 2);
  await generateListings(benchDatabase.sql, listingCount);
  await addGoods(benchDatabase.sql, listingCount);
});
afterAll(async () => {
  await benchDatabase.close();
  await database.drop();
});

test('creates the requested number of listings, some of them drafts, with sellers and covers', async () => {
  const [counts] = await benchDatabase.sql`
    SELECT count(*) AS all, count(*) FILTER (WHERE status = 'draft') AS drafts,
      count(*) FILTER (WHERE u.id IS NULL) AS without_seller,
      count(*) FILTER (WHERE photos <> '{}' AND o.url IS NULL) AS without_cover
    FROM listings l LEFT JOIN users u ON u.id = l.user_id LEFT JOIN private.objects o ON o.url = l.photos[1]`;
  expect(counts).toMatchObject({ all: listingCount, without_seller: 0, without_cover: 0 });
  expect(counts?.drafts).toBeGreaterThan(listingCount / 50);
});

test('some words occur in most listings, others in few', async () => {
  const countListingsWith = async (word: string) => {
    const [found] =
      await benchDatabase.sql`SELECT count(*) FROM listings WHERE search_text LIKE ${`%${word}%`}`;
    return found?.count;
  };
  expect(await countListingsWith(' the ')).toBeGreaterThan(listingCount / 2);
  expect(await countListingsWith('bookshelf')).toBe(0);
  expect(await countListingsWith('edition')).toBeGreaterThan(0);
  expect(await countListingsWith('edition')).toBeLessThan(listingCount / 2);
});

test('all indexes are recreated after the rows are inserted', async () => {
  const names = (await benchDatabase.sizes()).map((relation) => relation.name);
  expect(names).toEqual(
    expect.arrayContaining(['listings_newest', 'listings_word_endings', 'listings_word_meetings']),
  );
});

test('runs every kind of query and its baseline', async () => {
  for (const { name, asks, baselineSql } of await listQueryKinds(
    benchDatabase.sql,
    await addUserWithConversations(benchDatabase.sql, 'reader@usc.edu', 3),
  )) {
    const responses = await Promise.all(asks.map((ask) => ask(benchDatabase)));
    expect(responses, name).toHaveLength(asks.length);
    expect((await benchDatabase.sql.query(baselineSql)).length, name).toBeLessThanOrEqual(24);
  }
});

test('measuring the cost of an index stores no listing', async () => {
  for (const { ratio } of await measureIndexCosts(benchDatabase.sql, 20)) expect(ratio).toBeGreaterThan(0);
  const [remaining] = await benchDatabase.sql`SELECT count(*) FROM listings`;
  expect(remaining?.count).toBe(listingCount);
});
