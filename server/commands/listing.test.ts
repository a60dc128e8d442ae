import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ModerationCase } from '#contract/moderation.ts';
import { notificationQueue } from '#server/features/notifications/public.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import { runCommand } from '#server/testing/run-command.ts';

let dataDir: string;
let testApp: TestApp;
let seller: Person;
let listing: { id: string; slug: string };
const reason = 'It offers what may not be sold here.';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quad-listing-'));
  testApp = await startTestApp();
  // Set the test clock to the current time, because commands use the real clock.
  testApp.clock.set(new Date());
});
beforeEach(async () => {
  seller = await testApp.signIn();
  listing = (await submitListingForm(testApp, seller)).body.listing;
});
afterAll(async () => {
  await testApp.close();
  await rm(dataDir, { recursive: true });
});

const run = async (what: string, why = reason) => {
  const args = [what, listing.slug, '--reason', why];
  const settings = { QUAD_DATA_DIR: dataDir, QUAD_DATABASE_URL: testApp.databaseUrl, INIT_CWD: dataDir };
  expect(await runCommand('listing', args, settings), what).toMatchObject({ code: 0, err: '' });
  testApp.clock.set(new Date());
};
const ask = (person: Person, method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, person, method, url, payload);
const listDecisions = async () => (await ask(seller, 'GET', '/rest/v1/me/decisions')).body.items;
const readStatus = async () =>
  (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body.status as string;

const appealText = 'It is my own work.';
const appeal = async (actionId: string) => {
  const form = { action_id: actionId, text: appealText };
  expect((await ask(seller, 'POST', '/rest/v1/appeals', form)).status).toBe(200);
};
/**
 * Grants the only open appeal as an administrator, because a command counts as one. Returns the moderation case as it was
 * before this decision.
 */
const grantAppeal = async (): Promise<ModerationCase> => {
  const administrator = await signInToConsole(testApp, 'administrator');
  const { items } = (await ask(administrator, 'GET', '/rest/v1/moderation/cases?appeals=true')).body;
  const url = `/rest/v1/moderation/cases/${items[0]?.id}`;
  const { body } = await ask(administrator, 'GET', url);
  const form = { action: 'restore', reason: 'You are right' };
  expect((await ask(administrator, 'POST', `${url}/actions`, form)).status).toBe(200);
  await applyModerationActions(testApp);
  return body;
};

test('the owner of a listing that a command took down reads the decision, and an administrator grants the appeal', async () => {
  await run('take-down');
  const [decision] = await listDecisions();
  expect(decision).toMatchObject({ action: 'unpublish', subject: 'listing', reason, can_appeal: true });
  await appeal(decision.id);
  expect(await grantAppeal()).toMatchObject({
    quotes: [{ content: { subject: 'listing' } }],
    actions: [{ action: 'unpublish', actor: expect.stringMatching(/^shell:/), appeal: { text: appealText } }],
  });
  expect(await readStatus()).toBe('published');
}, 60_000);

test('a suspended owner of a listing that a command took down gets a link for an appeal by email', async () => {
  await testApp.sql`
    UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${seller.userId}`;
  await run('take-down');
  expect(
    await testApp.sql`
      SELECT a.appeal_hash IS NOT NULL AS has_link
      FROM private.moderation_actions a JOIN private.moderation_cases c ON c.id = a.case_id
      WHERE c.person_id = ${seller.userId}`,
  ).toEqual([{ has_link: true }]);
});

test('a listing that two decisions took down is public again only when both are reversed', async () => {
  await run('take-down');
  await run('take-down', 'It is a copy of another listing.');
  const [later, first] = await listDecisions();
  await appeal(later.id);
  await grantAppeal();
  const own = (await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body;
  expect(own).toMatchObject({ status: 'draft', hidden_reason: reason });
  const { items } = (await ask(seller, 'GET', '/rest/v1/notifications')).body;
  expect(items[0]).toMatchObject({
    text: 'Reason: You are right The listing stays taken down because of another decision.',
  });
  await appeal(first.id);
  await grantAppeal();
  expect(await readStatus()).toBe('published');
}, 60_000);

test('restoring a listing waits for an appeal that is being stored, and leaves it open', async () => {
  await run('take-down');
  const [decision] = await listDecisions();
  let restored: Promise<void> | undefined;
  await testApp.sql.begin(async (tx) => {
    await tx`SELECT FROM private.moderation_cases WHERE subject_id = ${listing.id} FOR NO KEY UPDATE`;
    restored = run('restore');
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      )
      .toHaveLength(1);
    await tx`
      INSERT INTO private.moderation_appeals (action_id, person_id, appeal_text, created_at)
      VALUES (${decision.id}, ${seller.userId}, ${appealText}, ${testApp.clock.now()})`;
  });
  await restored;
  const [action] =
    await testApp.sql`SELECT restored_at FROM private.moderation_actions WHERE id = ${decision.id}`;
  expect(action).toEqual({ restored_at: null });
}, 60_000);

test('a decision cannot be appealed once a command restored the listing', async () => {
  await run('take-down');
  await run('restore');
  expect(await readStatus()).toBe('published');
  expect(await listDecisions()).toMatchObject([{ action: 'unpublish', can_appeal: false }]);
}, 60_000);

test('restoring a listing tells the people whose reports led to the take-down', async () => {
  const moderator = await signInToConsole(testApp, 'moderator');
  const reporter = await testApp.signIn();
  const report = { subject: 'listing', subject_id: listing.id, reason: 'scam' };
  expect((await ask(reporter, 'POST', '/rest/v1/reports', report)).status).toBe(200);
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE subject_id = ${listing.id}`;
  const form = { action: 'unpublish', reason };
  const { status } = await ask(moderator, 'POST', `/rest/v1/moderation/cases/${row?.id}/actions`, form);
  expect(status).toBe(200);
  await applyModerationActions(testApp);
  await run('restore');
  const jobs = await testApp.sql`
    SELECT data #>> '{items,0,facts,outcome}' AS outcome, data #>> '{items,0,user_id}' AS user_id
    FROM pgboss.job WHERE name = ${notificationQueue.name} AND data ->> 'event' = 'report_handled'`;
  expect(jobs).toEqual([{ outcome: 'restored', user_id: reporter.userId }]);
}, 60_000);

test('restoring does not publish a draft that its owner never submitted', async () => {
  await ask(seller, 'PATCH', `/rest/v1/me/listings/${listing.id}`, { status: 'draft' });
  await run('take-down');
  await run('restore');
  expect(await readStatus()).toBe('draft');
}, 60_000);

test('a request for changes can be appealed, too', async () => {
  await run('request-changes');
  expect(await readStatus()).toBe('draft');
  expect(await listDecisions()).toMatchObject([{ action: 'request_changes', reason, can_appeal: true }]);
}, 60_000);

test('restoring a listing keeps a request for changes that was made before the take-down', async () => {
  await run('request-changes', 'Please show the label');
  await run('take-down');
  await run('restore');
  expect((await ask(seller, 'GET', `/rest/v1/me/listings/${listing.id}`)).body).toMatchObject({
    status: 'draft',
    hidden_reason: null,
    requested_changes: 'Please show the label',
  });
  expect(await listDecisions()).toMatchObject([
    { action: 'unpublish', can_appeal: false },
    { action: 'request_changes', can_appeal: true },
  ]);
}, 60_000);

test('the upgrade records decisions for listings that were taken down by earlier versions', async () => {
  const files = (await readdir(join(import.meta.dirname, '..', 'migrations'))).sort();
  const earlierCount = files.findIndex((name) => name.startsWith('0096_'));
  const database = await createTestDatabase({ migrated: false });
  try {
    await migrateDatabase({ databaseUrl: database.url, log: silentLog, upTo: earlierCount });
    const sql = openDatabase(database.url, { max: 1 });
    await sql`
      WITH person AS (INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now()) RETURNING id)
      INSERT INTO listings (slug, user_id, title, status, contact_email, created_at, updated_at, hidden_at, hidden_with,
        hidden_reason)
      SELECT slug, id, 'A desk', 'draft', 'a@usc.edu', now(), now(), CASE WHEN hidden_with IS NOT NULL THEN now() END,
        hidden_with, hidden_reason
      FROM person, (VALUES ('one', 'listing', 'Stolen'), ('two', 'account', NULL), ('three', NULL, NULL))
        AS l (slug, hidden_with, hidden_reason)`;
    await migrateDatabase({ databaseUrl: database.url, log: silentLog });
    const decisions = await sql`
      SELECT l.slug, a.action, a.reason, a.applied_at = l.hidden_at AS is_from_then, c.resolved_at IS NOT NULL AS is_resolved
      FROM private.moderation_actions a JOIN private.moderation_cases c ON c.id = a.case_id
      JOIN listings l ON l.id = c.subject_id AND l.user_id = c.person_id`;
    expect(decisions).toEqual([
      { slug: 'one', action: 'unpublish', reason: 'Stolen', is_from_then: true, is_resolved: true },
    ]);
    await sql.end();
  } finally {
    await database.drop();
  }
}, 60_000);

test('a decision that is not possible is refused with exit code 1 and a one-line error', async () => {
  const args = ['approve', listing.slug, '--reason', reason];
  const settings = { QUAD_DATA_DIR: dataDir, QUAD_DATABASE_URL: testApp.databaseUrl, INIT_CWD: dataDir };
  expect(await runCommand('listing', args, settings)).toMatchObject({
    code: 1,
    err: 'This listing does not wait for review.\n',
  });
});
