import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { generateListings } from './generate.ts';
import { listQueryKinds } from './kinds.ts';
import { measureIndexCosts } from './measure.ts';
import { type Bench, openBench } from './open-bench.ts';
import { addReader } from './people.ts';

const count = 1_000;
let database: TestDatabase;
let bench: Bench;
beforeAll(async () => {
  database = await createTestDatabase();
  bench = openBench(database.url);
  await generateListings(bench.sql, count / 2);
  await generateListings(bench.sql, count);
});
afterAll(async () => {
  await bench.close();
  await database.drop();
});

test('creates the requested number of listings, some of them drafts, with sellers and covers', async () => {
  const [counts] = await bench.sql`
    SELECT count(*) AS all, count(*) FILTER (WHERE status = 'draft') AS drafts,
      count(*) FILTER (WHERE u.id IS NULL) AS without_seller,
      count(*) FILTER (WHERE photos <> '{}' AND o.url IS NULL) AS without_cover
    FROM listings l LEFT JOIN users u ON u.id = l.user_id LEFT JOIN private.objects o ON o.url = l.photos[1]`;
  expect(counts).toMatchObject({ all: count, without_seller: 0, without_cover: 0 });
  expect(counts?.drafts).toBeGreaterThan(count / 50);
});

test('some words occur in most listings, others in few', async () => {
  const countListingsWith = async (word: string) => {
    const [found] = await bench.sql`SELECT count(*) FROM listings WHERE search_text LIKE ${`%${word}%`}`;
    return found?.count;
  };
  expect(await countListingsWith(' the ')).toBeGreaterThan(count / 2);
  expect(await countListingsWith('bookshelf')).toBe(0);
  expect(await countListingsWith('edition')).toBeGreaterThan(0);
  expect(await countListingsWith('edition')).toBeLessThan(count / 2);
});

test('all indexes are recreated after the rows are inserted', async () => {
  const names = (await bench.sizes()).map((relation) => relation.name);
  expect(names).toEqual(
    expect.arrayContaining(['listings_newest', 'listings_word_endings', 'listings_word_meetings']),
  );
});

test('runs every kind of query and its baseline', async () => {
  for (const { name, asks, baselineSql } of await listQueryKinds(
    bench.sql,
    await addReader(bench.sql, 'reader@usc.edu', 3),
  )) {
    const responses = await Promise.all(asks.map((ask) => ask(bench)));
    expect(responses, name).toHaveLength(asks.length);
    expect((await bench.sql.unsafe(baselineSql)).length, name).toBeLessThanOrEqual(24);
  }
});

test('measuring the cost of an index stores no listing', async () => {
  for (const { ratio } of await measureIndexCosts(bench.sql, 20)) expect(ratio).toBeGreaterThan(0);
  const [remaining] = await bench.sql`SELECT count(*) FROM listings`;
  expect(remaining?.count).toBe(count);
});
