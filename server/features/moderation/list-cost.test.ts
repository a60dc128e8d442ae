import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseQuery } from '#contract/moderation.ts';
import { casePageSize } from '#contract/moderation.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { listCases } from './case-list-repository.ts';

const reportCount = 50_000;
const now = new Date('2026-03-02T18:00:00.000Z');

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  // Every twentieth case is resolved, and every hundredth of the others is assigned.
  await testApp.sql`
    WITH moderated AS (
      INSERT INTO private.moderation_cases
        (subject, subject_id, title, risk, report_count, opened_at, updated_at, resolved_at, assigned_until)
      SELECT 'listing', gen_random_uuid(), 'Listing ' || n, n % 3 + 1, 1, ${now}::timestamptz - n * interval '1 min', ${now},
        CASE WHEN n % 20 = 0 THEN ${now}::timestamptz - n * interval '1 s' END,
        CASE WHEN n % 100 = 1 THEN ${now}::timestamptz + interval '5 min' END
      FROM generate_series(1, ${reportCount}::int) AS n RETURNING id
    ), quoted AS (
      INSERT INTO private.moderation_quotes (case_id, content, photo_count, quoted_at)
      SELECT id, '{"subject": "user", "name": "Sam", "bio": null}', 0, ${now} FROM moderated RETURNING id, case_id
    )
    INSERT INTO private.moderation_reports (case_id, quote_id, reason, report_text, created_at)
    SELECT case_id, id, 'scam', '', ${now} FROM quoted`;
  await testApp.sql.query(
    'VACUUM ANALYZE private.moderation_cases, private.moderation_quotes, private.moderation_reports, private.moderation_signals',
  );
});
afterAll(() => testApp.close());

const laterPosition = { risk: 2, time: '2026-02-10T00:00:00.000000Z', id: crypto.randomUUID() };

test.each<[string, CaseQuery, typeof laterPosition | undefined]>([
  ['the first page', {}, undefined],
  ['a later page', {}, laterPosition],
  ['open cases', { state: 'open' }, undefined],
  ['assigned cases', { state: 'assigned' }, undefined],
  ['cases of one risk', { risk: 2 }, undefined],
  ['appeals', { appeals: 'true' }, undefined],
  ['resolved cases', { state: 'resolved' }, undefined],
])('promise 90: with 50,000 reports, %s reads few rows', async (_what, query, after) => {
  const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
    listCases(sql, query, {
      now,
      openedBefore: null,
      after,
      exceptAbout: crypto.randomUUID(),
      limit: casePageSize + 1,
    }),
  );
  expect(plans).toHaveLength(1);
  expect(countRowsRead(plans)).toBeLessThan(20 * casePageSize);
});
