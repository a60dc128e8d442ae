import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { getListingBook, lookUpBook } from './books.ts';
import { getCourse } from './courses.ts';

const isbn = '9781285740621';
const listingCount = 3_000;
/** One of this many listings, published and sold ones in turn, is about the book and the course. */
const interval = 100;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { userId } = await testApp.signIn();
  await testApp.sql`
    INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status, contact_email,
      created_at, updated_at, published_at, sold_at, isbn, course, authors)
    SELECT 'listing-' || n, ${userId}, 'Calculus, hardly used', repeat('·', 40), n, 'textbooks', 'good', 'Parkside',
      CASE WHEN n % 200 = 0 THEN 'sold' ELSE 'published' END, 'a@usc.edu', moment, moment, moment,
      CASE WHEN n % 200 = 0 THEN moment END, CASE WHEN n % ${interval} = 0 THEN ${isbn} ELSE '9780306406157' END,
      CASE WHEN n % ${interval} = 0 THEN 'MATH 125' ELSE 'MATH 126' END, 'Author ' || n
    FROM generate_series(1, ${listingCount}::int) AS n,
      LATERAL (SELECT ${testApp.clock.now()}::timestamptz - n * interval '1 s' AS moment) AS time`;
  await testApp.sql`ANALYZE listings`;
});
afterAll(() => testApp.close());

const countListingsRead = async (read: (app: TestApp['app']) => Promise<unknown>): Promise<number> =>
  countRowsRead(
    await explainSentStatements(testApp.databaseUrl, (sql) => read({ ...testApp.app, sql })),
    'listings',
  );

test('what listings say about a book, its copies and its course are found among many listings by indexes', async () => {
  expect((await lookUpBook(testApp.app, isbn)).book).toMatchObject({ authors: `Author ${interval}` });
  const read = {
    book: await countListingsRead((app) => lookUpBook(app, isbn)),
    copies: await countListingsRead((app) => getListingBook(app, `listing-${interval}`)),
    course: await countListingsRead((app) => getCourse(app, 'MATH-125')),
  };
  expect(Math.max(...Object.values(read)), JSON.stringify(read)).toBeLessThanOrEqual(
    listingCount / interval + 1,
  );
});
