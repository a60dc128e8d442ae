import { afterAll, beforeAll, expect, test } from 'vitest';
import { submittedFormPageSize } from '#contract/console-forms.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { listSubmittedForms } from './inbox-repository.ts';

const formCount = 50_000;
const limit = submittedFormPageSize + 1;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  // One in a thousand forms is an application, and one in a hundred is open.
  await testApp.sql`
    INSERT INTO private.forms (kind, email, content, created_at, done_at)
    SELECT CASE WHEN n % 1000 = 0 THEN 'application' ELSE 'contact' END, 'ada@usc.edu', '{}',
      '2026-01-01'::timestamptz + n * interval '1 s', CASE WHEN n % 100 <> 0 THEN now() END
    FROM generate_series(1, ${formCount}::int) n`;
  await testApp.sql.query('VACUUM ANALYZE private.forms, users');
});
afterAll(() => testApp.close());

test.each([
  ['open', null],
  ['done', null],
  ['all', null],
  ['open', 'contact'],
  ['all', 'application'],
] as const)('promise 90: listing forms with state %s and kind %s reads a few rows', async (state, kind) => {
  const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
    listSubmittedForms(sql, { kind, state, before: null, limit }),
  );
  expect(plans).toHaveLength(1);
  expect(countRowsRead(plans)).toBeLessThan(40 * limit);
});
