import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secondsAfter } from '#server/platform/clock.ts';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { saveListing } from '#server/testing/listings.ts';

const minute = 60;
const day = 24 * 60 * minute;

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
// Each test begins with what it makes itself.
beforeEach(async () => {
  server.clock.advance(100 * day);
  await sweep();
});
afterAll(() => server.close());

const sweep = () => server.jobs.repeatNow('remove-overdue');
const count = async (table: string): Promise<number> => {
  const [row] = await server.sql.unsafe(`SELECT count(*) AS count FROM ${table}`);
  return row?.count;
};
const post = (url: string, payload: object) => server.app.inject({ method: 'POST', url, payload });
const signUp = async (email: string): Promise<void> => {
  const body = { email, password: 'cardinal-and-gold-1', fullName: 'Una Confirmed' };
  expect((await post('/functions/v1/signup', body)).statusCode).toBe(200);
};
const isThere = async (email: string): Promise<boolean> =>
  (await server.sql`SELECT 1 FROM users WHERE email = ${email}`).length > 0;

/** Makes a row, and expects it to be there a second before its time is over and gone a second after. */
const expectToLast = async (table: string, seconds: number): Promise<void> => {
  expect(await count(table)).toBeGreaterThan(0);
  server.clock.advance(seconds - 1);
  await sweep();
  expect(await count(table)).toBeGreaterThan(0);
  server.clock.advance(2);
  await sweep();
  expect(await count(table)).toBe(0);
};

test('a code’s row stays for a day after it expired, so that the daily cap holds, and no longer', async () => {
  await post('/functions/v1/send-otp', { email: 'nobody@usc.edu' });
  await expectToLast('private.codes', 10 * minute + day);
});

test('a reset link goes when it expires', async () => {
  const { email } = await server.signIn();
  await post('/functions/v1/forgot-password', { email });
  await expectToLast('private.reset_tokens', 15 * minute);
});

test('a credential between log-in and session goes when it expires', async () => {
  const { email } = await server.signIn();
  await post('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' });
  await expectToLast('private.auth_passwords', minute);
});

test('a session goes 30 days after its last use, with its tokens', async () => {
  const person = await server.signIn();
  server.clock.advance(29 * day);
  const renewed = await post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: person.refreshToken,
  });
  expect(renewed.statusCode).toBe(200);
  await expectToLast('private.sessions', 30 * day);
  expect(await count('private.refresh_tokens')).toBe(0);
});

test('a replaced refresh token is known for 30 days while its session lives on', async () => {
  let { refreshToken } = await server.signIn();
  const renew = async () => {
    const answer = await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
    refreshToken = answer.json().refresh_token;
  };
  await renew();
  server.clock.advance(20 * day);
  await renew();
  server.clock.advance(10 * day - 1);
  await sweep();
  expect(await count('private.refresh_tokens')).toBe(3);
  server.clock.advance(2);
  await sweep();
  expect(await count('private.refresh_tokens')).toBe(2);
  expect(await count('private.sessions')).toBe(1);
});

test('mails of the development mailbox go after seven days', async () => {
  await server.sql`
    INSERT INTO private.mailbox (recipient, subject, text_body, html_body, created_at)
    VALUES ('a@usc.edu', 'Hello', '', '', ${server.clock.now()})`;
  await expectToLast('private.mailbox', 7 * day);
});

test('what is noted of a sign-in goes after 90 days', async () => {
  await server.signIn();
  await expectToLast('private.security_events', 90 * day);
});

test('counts of the limits go when they expire', async () => {
  const expire = secondsAfter(server.clock.now(), 300).getTime();
  await server.sql`INSERT INTO private.rate_limits (key, points, expire) VALUES ('write:u:1', 3, ${expire})`;
  await expectToLast('private.rate_limits', 300);
});

test('an account nobody confirmed goes seven days after the last sign-up, with all of it', async () => {
  const email = 'una@elsewhere.example';
  await signUp(email);
  server.clock.advance(3 * day);
  await signUp(email);
  server.clock.advance(7 * day - 1);
  await sweep();
  expect(await isThere(email)).toBe(true);
  server.clock.advance(2);
  await sweep();
  expect(await createDeletableAccounts(server).tracesOf(email)).toEqual([]);
  await signUp(email);
  expect(await isThere(email)).toBe(true);
});

test('who asked for a new code a moment ago may still use it', async () => {
  const email = 'late@usc.edu';
  await signUp(email);
  server.clock.advance(7 * day + 1);
  await post('/functions/v1/send-verification-code', { email });
  await sweep();
  const verified = await post('/functions/v1/verify-otp', { email, code: server.codeFor(email) });
  expect(verified.statusCode).toBe(200);
  server.clock.advance(30 * day);
  await sweep();
  expect(await isThere(email)).toBe(true);
});

test('a confirmed account stays, with what is its own', async () => {
  const person = await server.signIn();
  const { body } = await saveListing(server, person);
  server.clock.advance(300 * day);
  await sweep();
  expect(await isThere(person.email)).toBe(true);
  expect(await server.sql`SELECT 1 FROM listings WHERE id = ${body.listing.id}`).toHaveLength(1);
});

test('more than one batch goes in one run, and two runs at once do not disturb each other', async () => {
  const now = server.clock.now();
  await server.sql`
    INSERT INTO private.codes (email, purpose, sent_at, expires_at, day_started)
    SELECT n || '@usc.edu', 'otp', ${now}, ${now}, ${now} FROM generate_series(1, 2500) AS n`;
  for (let n = 0; n < 5; n += 1) await signUp(`${randomUUID()}@usc.edu`);
  const confirmed = await server.signIn();
  server.clock.advance(8 * day);
  await Promise.all([sweep(), sweep(), sweep()]);
  await sweep();
  expect(await count('private.codes')).toBe(0);
  expect(await server.sql`SELECT 1 FROM private.credentials WHERE confirmed_at IS NULL`).toHaveLength(0);
  expect(await isThere(confirmed.email)).toBe(true);
});
