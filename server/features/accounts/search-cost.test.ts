import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { listAccountSummaries } from './account-repository.ts';
import { findAddressConflict } from './campus-address-repository.ts';
import { findMailboxAccount } from './mailbox-repository.ts';

const peopleCount = 20_000;
const limit = 30;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.sql`
    WITH person AS (
      INSERT INTO users (email, full_name, created_at, updated_at)
      SELECT 'person' || n || '@usc.edu', 'Student Number' || n, '2026-01-01'::timestamptz + n * interval '1 s', now()
      FROM generate_series(1, ${peopleCount}::int) n
      RETURNING id
    )
    INSERT INTO private.credentials (user_id, updated_at) SELECT id, now() FROM person`;
  await testApp.sql.query('VACUUM ANALYZE users, private.credentials, private.campus_addresses');
});
afterAll(() => testApp.close());

test.each([
  ['a text that everybody has', 'usc.edu', undefined],
  ['a later page of them', 'usc.edu', { time: '2026-01-01T02:00:00.000000Z', id: crypto.randomUUID() }],
  ['a single letter', 'e', undefined],
  ['a text that one person has', 'person12345@', undefined],
  ['a text that nobody has', 'somebody-else', undefined],
  ['no text', '', undefined],
])('finding people by %s reads only a few rows, however many accounts exist', async (_what, text, after) => {
  const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
    listAccountSummaries(sql, { id: null, text, after, limit }),
  );
  expect(plans).toHaveLength(1);
  expect(countRowsRead(plans)).toBeLessThan(20 * limit);
});

test('finding the account of a mailbox reads only a few rows, however many accounts exist', async () => {
  const plans = await explainSentStatements(testApp.databaseUrl, async (sql) => {
    await findMailboxAccount(sql, defaultCampus, 'person12345+1@usc.edu');
    await findAddressConflict(sql, defaultCampus, 'person12345+1@usc.edu');
  });
  expect(plans).toHaveLength(2);
  expect(countRowsRead(plans)).toBeLessThan(20);
});
