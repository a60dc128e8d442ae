import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { jobApplicationPath } from '#contract/forms.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { createPdf } from '#server/testing/resumes.ts';

const minuteInSeconds = 60;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
// Delete most of what earlier tests created: most retention periods are shorter than 100 days.
beforeEach(async () => {
  testApp.clock.advance(100 * dayInSeconds);
  await runRetention();
});
afterAll(() => testApp.close());

const runRetention = () => testApp.jobs.repeatNow('remove-overdue');
const countRows = async (table: string): Promise<number> => {
  const [row] = await testApp.sql.query(`SELECT count(*) AS count FROM ${table}`);
  return row?.count;
};
const sendPost = (url: string, payload: object) => testApp.server.inject({ method: 'POST', url, payload });
const renewSession = async (person: Person): Promise<Person> => {
  const renewed = await sendPost('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: person.refreshToken,
  });
  return { ...person, headers: { authorization: `Bearer ${renewed.json().access_token}` } };
};
const signUp = async (email: string): Promise<void> => {
  const body = { email, password: 'cardinal-and-gold-1', fullName: 'Una Confirmed' };
  expect((await sendPost('/functions/v1/signup', body)).statusCode).toBe(200);
};
const accountExists = async (email: string): Promise<boolean> =>
  (await testApp.sql`SELECT 1 FROM users WHERE email = ${email}`).length > 0;

/** Expects the rows of a table to exist a second before the end of their period and to be deleted a second after. */
const expectDeletedAfter = async (table: string, seconds: number): Promise<void> => {
  expect(await countRows(table)).toBeGreaterThan(0);
  testApp.clock.advance(seconds - 1);
  await runRetention();
  expect(await countRows(table)).toBeGreaterThan(0);
  testApp.clock.advance(2);
  await runRetention();
  expect(await countRows(table)).toBe(0);
};

test('deletes a code a day after it expired, so that the daily limit holds until then', async () => {
  await sendPost('/functions/v1/send-otp', { email: 'nobody@usc.edu' });
  await expectDeletedAfter('private.codes', 10 * minuteInSeconds + dayInSeconds);
});

test('deletes a campus address that was not verified a day after its code was requested, and keeps verified ones', async () => {
  const campus = createCampusAddressClient(testApp);
  const [waiting, verified] = [await campus.signInOutside(), await campus.signInOutside()];
  const email = campus.newAddress();
  await campus.request(waiting, campus.newAddress());
  await expectDeletedAfter('private.campus_addresses', dayInSeconds);
  await campus.add(await renewSession(verified), email);
  testApp.clock.advance(2 * dayInSeconds);
  await runRetention();
  expect(await countRows('private.campus_addresses')).toBe(1);
  await testApp.sql`DELETE FROM private.campus_addresses`;
});

test('deletes a reset link when it expires', async () => {
  const { email } = await testApp.signIn();
  await sendPost('/functions/v1/forgot-password', { email });
  await expectDeletedAfter('private.reset_tokens', 15 * minuteInSeconds);
});

test('deletes the one-time credential that a log-in exchanges for a session when it expires', async () => {
  const { email } = await testApp.signIn();
  await sendPost('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' });
  await expectDeletedAfter('private.auth_passwords', minuteInSeconds);
});

test('deletes a session and its tokens 30 days after its last use', async () => {
  const person = await testApp.signIn();
  testApp.clock.advance(29 * dayInSeconds);
  const refreshed = await sendPost('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: person.refreshToken,
  });
  expect(refreshed.statusCode).toBe(200);
  await expectDeletedAfter('private.sessions', 30 * dayInSeconds);
  expect(await countRows('private.refresh_tokens')).toBe(0);
});

test('deletes a replaced refresh token after 30 days while its session continues', async () => {
  let { refreshToken } = await testApp.signIn();
  const refresh = async () => {
    const response = await sendPost('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: refreshToken,
    });
    refreshToken = response.json().refresh_token;
  };
  await refresh();
  testApp.clock.advance(20 * dayInSeconds);
  await refresh();
  testApp.clock.advance(10 * dayInSeconds - 1);
  await runRetention();
  expect(await countRows('private.refresh_tokens')).toBe(3);
  testApp.clock.advance(2);
  await runRetention();
  expect(await countRows('private.refresh_tokens')).toBe(2);
  expect(await countRows('private.sessions')).toBe(1);
});

test('deletes emails of the development mailbox after seven days', async () => {
  await testApp.sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES ('a@usc.edu', 'Hello', '', '', ${testApp.clock.now()})`;
  await expectDeletedAfter('private.mailbox', 7 * dayInSeconds);
});

test('deletes security events of a sign-in after 90 days', async () => {
  await testApp.signIn();
  await expectDeletedAfter('private.security_events', 90 * dayInSeconds);
});

const conversationClient = () => createConversationClient(testApp);

test('deletes a conversation without a message 30 days after it was opened', async () => {
  const [buyer, seller] = [await testApp.signIn(), await testApp.signIn()];
  await conversationClient().begin(buyer, seller);
  await expectDeletedAfter('conversations', 30 * dayInSeconds);
});

test('keeps a conversation with a message', async () => {
  const [buyer, seller] = [await testApp.signIn(), await testApp.signIn()];
  const { id } = await conversationClient().begin(buyer, seller);
  await conversationClient().send(buyer, id, 'Still there?');
  testApp.clock.advance(100 * dayInSeconds);
  await runRetention();
  expect(await testApp.sql`SELECT 1 FROM conversations WHERE id = ${id}`).toHaveLength(1);
});

const sendApplication = async (): Promise<{ id: string; file: string }> => {
  const form = new FormData();
  const fields = { opening: 'Product Designer', name: 'Ann Lee', email: 'ann@usc.edu' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('resume', new Blob([createPdf()]), 'cv.pdf');
  const body = new Response(form);
  const response = await testApp.server.inject({
    method: 'POST',
    url: jobApplicationPath,
    headers: { 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  const [row] = await testApp.sql`SELECT id, content FROM private.forms ORDER BY created_at DESC LIMIT 1`;
  return { id: row?.id, file: join(testApp.dataDir, 'files', row?.content.resume.key) };
};

test('deletes a submitted form and its resume two years after it arrived', async () => {
  const { file } = await sendApplication();
  expect(existsSync(file)).toBe(true);
  await expectDeletedAfter('private.forms', 2 * 365 * dayInSeconds);
  await testApp.jobs.runAll();
  expect(existsSync(file)).toBe(false);
});

test('deletes a form two years after it was marked as done', async () => {
  const { id } = await sendApplication();
  testApp.clock.advance(300 * dayInSeconds);
  await testApp.sql`UPDATE private.forms SET done_at = ${testApp.clock.now()}, done_by = 'shell:alice' WHERE id = ${id}`;
  await expectDeletedAfter('private.forms', 2 * 365 * dayInSeconds);
});

test('deletes rate limit counters when they expire', async () => {
  const expire = addSeconds(testApp.clock.now(), 300).getTime();
  await testApp.sql`INSERT INTO private.rate_limits (key, points, expire) VALUES ('write:u:1', 3, ${expire})`;
  await expectDeletedAfter('private.rate_limits', 300);
});

test('deletes the replication heartbeat of a process an hour after its last beat', async () => {
  await testApp.sql`INSERT INTO private.replication_heartbeats (writer, beat, written_at)
    VALUES (gen_random_uuid(), 1, ${testApp.clock.now()})`;
  await expectDeletedAfter('private.replication_heartbeats', 3600);
});

test('deletes an unconfirmed account with all its data seven days after the last sign-up', async () => {
  const email = 'una@elsewhere.example';
  await signUp(email);
  testApp.clock.advance(3 * dayInSeconds);
  await signUp(email);
  testApp.clock.advance(7 * dayInSeconds - 1);
  await runRetention();
  expect(await accountExists(email)).toBe(true);
  testApp.clock.advance(2);
  await runRetention();
  expect(await createAccountClient(testApp).findTraces(email)).toEqual([]);
  await signUp(email);
  expect(await accountExists(email)).toBe(true);
});

test('keeps an overdue unconfirmed account while a new code is valid', async () => {
  const email = 'late@usc.edu';
  await signUp(email);
  testApp.clock.advance(7 * dayInSeconds + 1);
  await sendPost('/functions/v1/send-verification-code', { email });
  await runRetention();
  const verified = await sendPost('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
  expect(verified.statusCode).toBe(200);
  testApp.clock.advance(30 * dayInSeconds);
  await runRetention();
  expect(await accountExists(email)).toBe(true);
});

test('keeps a confirmed account and its data', async () => {
  const person = await testApp.signIn();
  const { body } = await submitListingForm(testApp, person);
  testApp.clock.advance(300 * dayInSeconds);
  await runRetention();
  expect(await accountExists(person.email)).toBe(true);
  expect(await testApp.sql`SELECT 1 FROM listings WHERE id = ${body.listing.id}`).toHaveLength(1);
});

test('deletes more than one batch per run, also with concurrent runs', async () => {
  const now = testApp.clock.now();
  await testApp.sql`
    INSERT INTO private.codes (email, purpose, sent_at, expires_at, day_started)
    SELECT n || '@usc.edu', 'otp', ${now}, ${now}, ${now} FROM generate_series(1, 2500) AS n`;
  for (let n = 0; n < 5; n += 1) await signUp(`${randomUUID()}@usc.edu`);
  const confirmed = await testApp.signIn();
  testApp.clock.advance(8 * dayInSeconds);
  await Promise.all([runRetention(), runRetention(), runRetention()]);
  await runRetention();
  expect(await countRows('private.codes')).toBe(0);
  expect(await testApp.sql`SELECT 1 FROM private.credentials WHERE confirmed_at IS NULL`).toHaveLength(0);
  expect(await accountExists(confirmed.email)).toBe(true);
});
