import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCampusDay } from '#contract/campus.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements, type QueryPlan } from '#server/testing/query-plans.ts';
import { countPeopleForDraft } from './matching.ts';
import { listWantedPosts } from './wanted-posts.ts';

const endedCount = 3_000;
const openCount = 30;

let testApp: TestApp;
let seller: string;
beforeAll(async () => {
  testApp = await startTestApp();
  const { userId } = await testApp.signIn();
  seller = (await testApp.signIn()).userId;
  const now = testApp.clock.now();
  await testApp.sql`
    INSERT INTO wanted_posts (user_id, client_id, title, category, words, isbns, text_key, until, created_at, updated_at)
    SELECT ${userId}, gen_random_uuid(), CASE WHEN n = ${openCount} THEN 'Oak desk' ELSE 'Pine desk' END, 'furniture',
      ARRAY['desk'], ARRAY[NULL], 'esk', ${toCampusDay(testApp.app.config.campus, now)}::date
        - CASE WHEN n <= ${openCount} THEN 0 ELSE 1 + n % 80 END, moment, moment
    FROM generate_series(1, ${endedCount + openCount}::int) AS n,
      LATERAL (SELECT ${now}::timestamptz - n * interval '1 hour' AS moment) AS time`;
  await testApp.sql`ANALYZE wanted_posts`;
});
afterAll(() => testApp.close());

const explain = (work: (app: TestApp['app']) => Promise<unknown>): Promise<QueryPlan[]> =>
  explainSentStatements(testApp.databaseUrl, (sql) => work({ ...testApp.app, sql }));

test('a rare word is found among the open wanted posts without reading those that have ended', async () => {
  for (const { q, found } of [
    { q: 'oak', found: 1 },
    { q: 'walnut', found: 0 },
  ]) {
    const list = (app: TestApp['app']) => listWantedPosts(app, undefined, { q });
    expect((await list(testApp.app)).items, q).toHaveLength(found);
    expect(countRowsRead(await explain(list), 'wanted_posts'), q).toBeLessThanOrEqual(openCount);
  }
});

test('a listing that a person is writing is compared with open wanted posts only', async () => {
  const draft = {
    title: 'Desk of pine',
    description: 'A good desk, hardly used',
    location: 'Parkside',
    category: 'furniture' as const,
    price: 20,
  };
  const count = (app: TestApp['app']) => countPeopleForDraft(app, seller, draft);
  expect(await count(testApp.app)).toBe(1);
  expect(countRowsRead(await explain(count), 'wanted_posts')).toBeLessThanOrEqual(openCount);
});
