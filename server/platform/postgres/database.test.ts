import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { openDatabase, type Sql } from './database.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test('returns decimals and counts as numbers and dates as text', async () => {
  const [row] =
    await sql`SELECT 19.99::numeric AS price, 9007199254740991::bigint AS count, '2026-02-28'::date AS day`;
  expect(row).toEqual({ price: 19.99, count: 9007199254740991, day: '2026-02-28' });
});
