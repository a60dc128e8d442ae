import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatSuspensionEnd } from '#contract/suspensions.ts';
import { lockListingChanges } from '#server/features/listings/public.ts';
import { liftSuspensionOf } from '#server/features/moderation/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
import {
  endAccountSessions,
  getAccountSummary,
  maxFoundAccounts,
  searchAccounts,
  setAccountVerified,
} from './account-moderation.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const suspendedError = {
  code: 'account_suspended',
  error: 'This account is suspended. Write to support@usc.edu if you think this is wrong.',
};
const postJson = async (url: string, payload: object) => {
  const response = await testApp.server.inject({ method: 'POST', url, payload });
  return { status: response.statusCode, body: response.json() };
};
const logIn = ({ email }: Person) =>
  postJson('/functions/v1/login-password', { email, password: testPassword });
const fetchMeStatus = async ({ headers }: Person) =>
  (await testApp.server.inject({ url: '/rest/v1/me', headers })).statusCode;
const listNotificationTitles = async ({ headers }: Pick<Person, 'headers'>): Promise<string[]> => {
  await testApp.jobs.runAll();
  const response = await testApp.server.inject({ url: '/rest/v1/notifications', headers });
  return response.json().items.map(({ title }: { title: string }) => title);
};
const listPublicSlugs = async () => {
  const response = await testApp.server.inject({ url: '/rest/v1/listings?limit=48' });
  return response.json().items.map(({ slug }: { slug: string }) => slug);
};

test('promise 12: suspending an account ends every session immediately, blocks log-in and gives the reason', async () => {
  const person = await testApp.signIn();
  const before = await logIn(person);
  expect(await fetchMeStatus(person)).toBe(200);
  await suspendByCommand(testApp.app, person.email);
  expect(await fetchMeStatus(person)).toBe(401);
  expect(await logIn(person)).toMatchObject({ status: 403, body: suspendedError });
  expect(
    await postJson('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken }),
  ).toMatchObject({ status: 400 });
  // The auth password, a one-time password that the log-in returned before the suspension, does not work either.
  const { authPassword: password } = before.body;
  expect(
    await postJson('/auth/v1/token?grant_type=password', { email: person.email, password }),
  ).toMatchObject({
    status: 403,
    body: { code: 'user_banned', message: suspendedError.error },
  });
  expect(
    await postJson('/auth/v1/token?grant_type=password', { email: person.email, password }),
  ).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
  testApp.clock.advance(31);
  await postJson('/functions/v1/send-otp', { email: person.email });
  const code = testApp.codeFor(person.email);
  expect(await postJson('/functions/v1/verify-otp', { email: person.email, code })).toMatchObject({
    status: 403,
    body: suspendedError,
  });
  // A caller who cannot prove ownership learns nothing about the suspension.
  expect(
    await postJson('/functions/v1/login-password', { email: person.email, password: 'wrong-one-1' }),
  ).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  });

  await liftSuspensionOf(testApp.app, person.userId);
  expect(await logIn(person)).toMatchObject({ status: 200 });
});

test('an exact address finds its account even if more addresses contain it than a search lists', async () => {
  const { userId } = await testApp.signIn({ email: 'li@usc.edu' });
  testApp.clock.advance(1);
  await testApp.sql`
    WITH people AS (
      INSERT INTO users (email, created_at, updated_at)
      SELECT 'a' || n || 'li@usc.edu', ${testApp.clock.now()}, ${testApp.clock.now()}
      FROM generate_series(1, ${maxFoundAccounts}::int) AS n RETURNING id
    )
    INSERT INTO private.credentials (user_id, updated_at) SELECT id, ${testApp.clock.now()} FROM people`;
  expect(await getAccountSummary(testApp.app, ' Li@USC.edu ')).toMatchObject({ id: userId });
  await expect(getAccountSummary(testApp.app, 'i@usc.edu')).rejects.toMatchObject({
    code: 'account_not_found',
  });
});

test('a suspension that two administrators lift at once is lifted, recorded and mailed once', async () => {
  const person = await testApp.signIn();
  await suspendByCommand(testApp.app, person.email);
  await testApp.collectMails();
  const mailed = testApp.mails.length;
  await Promise.all([
    liftSuspensionOf(testApp.app, person.userId),
    liftSuspensionOf(testApp.app, person.userId),
  ]);
  expect(await liftSuspensionOf(testApp.app, person.userId)).toMatchObject({ suspended_at: null });
  await testApp.collectMails();
  expect(testApp.mails.slice(mailed)).toEqual([{ kind: 'suspension_lifted', to: person.email }]);
  const entries = await testApp.sql`
    SELECT FROM private.security_events WHERE user_id = ${person.userId} AND event = 'suspension_lifted'`;
  expect(entries).toHaveLength(1);
});

test('a suspension for some days ends automatically, and emails announce its beginning and end', async () => {
  const person = await testApp.signIn();
  const { slug } = (await submitListingForm(testApp, person)).body.listing;
  const until = addSeconds(testApp.clock.now(), 3 * 24 * 3600);
  await suspendByCommand(testApp.app, person.email, { days: 3, reason: 'Sold a ticket twice' });
  await testApp.collectMails();
  expect(testApp.mails.at(-1)).toEqual({
    kind: 'account_suspended',
    to: person.email,
    until: until.toISOString(),
    reason: 'Sold a ticket twice',
    appealToken: expect.any(String),
  });
  expect(await logIn(person)).toMatchObject({
    status: 403,
    body: {
      code: 'account_suspended',
      error: `This account is suspended until ${formatSuspensionEnd(until, defaultCampus)} (USC time). Write to support@usc.edu if you think this is wrong.`,
    },
  });
  testApp.clock.advance(3 * 24 * 3600 - 1);
  await testApp.jobs.repeatNow('lift-suspensions');
  expect(await logIn(person)).toMatchObject({ status: 403 });

  testApp.clock.advance(1);
  await testApp.jobs.repeatNow('lift-suspensions');
  expect(testApp.mails.at(-1)).toEqual({ kind: 'suspension_lifted', to: person.email });
  expect(await listPublicSlugs()).toContain(slug);
  expect(await getAccountSummary(testApp.app, person.email)).toMatchObject({
    suspended_at: null,
    suspended_until: null,
  });
  const mailed = testApp.mails.length;
  await testApp.jobs.repeatNow('lift-suspensions');
  expect(testApp.mails).toHaveLength(mailed);
});

test('once a suspension has ended, logging in works before the job has lifted it', async () => {
  const suspend = async (person: Person) => {
    await suspendByCommand(testApp.app, person.email, { days: 1 });
    testApp.clock.advance(dayInSeconds);
  };
  const [first, second] = [await testApp.signIn(), await testApp.signIn()];
  const { slug } = (await submitListingForm(testApp, first)).body.listing;
  await suspend(first);
  expect(await logIn(first)).toMatchObject({ status: 200 });
  expect(await listPublicSlugs()).toContain(slug);

  await suspend(second);
  await postJson('/functions/v1/send-otp', { email: second.email });
  const verification = { type: 'email', email: second.email, token: testApp.codeFor(second.email) };
  expect(await postJson('/auth/v1/verify', verification)).toMatchObject({ status: 200 });
});

test('suspending again replaces the end date, and a suspension without one is not lifted', async () => {
  const person = await testApp.signIn();
  await suspendByCommand(testApp.app, person.email, { days: 1 });
  await suspendByCommand(testApp.app, person.email);
  testApp.clock.advance(365 * 24 * 3600);
  await testApp.jobs.repeatNow('lift-suspensions');
  expect(await logIn(person)).toMatchObject({ status: 403, body: suspendedError });
});

test('suspension hides published listings; lifting it shows them again', async () => {
  const person = await testApp.signIn();
  const shown = (await submitListingForm(testApp, person)).body.listing;
  const draft = (
    await submitListingForm(testApp, person, { title: 'A draft of a chair, unpublished', status: 'draft' })
  ).body.listing;
  expect(await listPublicSlugs()).toContain(shown.slug);
  expect(await suspendByCommand(testApp.app, person.email)).toMatchObject({ published: 0, hidden: 1 });
  expect(await listPublicSlugs()).not.toContain(shown.slug);
  expect((await testApp.server.inject({ url: `/rest/v1/listings/${shown.slug}` })).statusCode).toBe(404);
  expect(await liftSuspensionOf(testApp.app, person.email)).toMatchObject({
    published: 1,
    hidden: 0,
    suspended_at: null,
  });
  expect(await listPublicSlugs()).toContain(shown.slug);
  expect(await listPublicSlugs()).not.toContain(draft.slug);
});

test('a sign-in concurrent with the suspension leaves no session', async () => {
  const person = await testApp.signIn();
  const credentials = await Promise.all([1, 2, 3, 4].map(() => logIn(person)));
  await Promise.all([
    ...credentials.map(({ body }) =>
      postJson('/auth/v1/token?grant_type=password', { email: person.email, password: body.authPassword }),
    ),
    suspendByCommand(testApp.app, person.userId),
  ]);
  expect(await getAccountSummary(testApp.app, person.userId)).toMatchObject({ sessions: 0 });
});

/** Starts a request of a person about their listings that waits for a lock, and suspends them before it goes on. */
const suspendDuring = async <Result>(person: Person, request: () => Promise<Result>): Promise<Result> => {
  let pending: Promise<Result> | undefined;
  await testApp.sql.begin(async (tx) => {
    await lockListingChanges(tx, person.userId);
    pending = request();
    await expect
      .poll(
        () => testApp.sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      )
      .toHaveLength(1);
    await suspendByCommand(testApp.app, person.userId);
  });
  return pending as Promise<Result>;
};

test('a listing whose publication is concurrent with the suspension does not become public', async () => {
  const creating = await testApp.signIn();
  const created = await suspendDuring(creating, () => submitListingForm(testApp, creating));
  expect(created).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });

  const publishing = await testApp.signIn();
  const draft = (await submitListingForm(testApp, publishing, { status: 'draft' })).body.listing;
  const published = await suspendDuring(publishing, () =>
    sendRequest(testApp, publishing, 'PATCH', `/rest/v1/me/listings/${draft.id}`, { status: 'published' }),
  );
  expect(published.body.code).toBe('not_authenticated');
  const rows = await testApp.sql`
    SELECT FROM listings WHERE user_id IN (${creating.userId}, ${publishing.userId}) AND status <> 'draft'`;
  expect(rows).toHaveLength(0);
});

test('an administrator can set and remove the verified badge, and the person is notified', async () => {
  const person = await testApp.signIn({ email: 'guest@elsewhere.example' });
  const isVerified = async () =>
    (await testApp.server.inject({ url: `/rest/v1/users/${person.userId}` })).json().usc_verified;
  expect(await isVerified()).toBe(false);
  await setAccountVerified(testApp.app, person.email, true);
  expect(await isVerified()).toBe(true);
  await setAccountVerified(testApp.app, person.email, true);
  expect(await listNotificationTitles(person)).toEqual(['You have the verified badge']);
  testApp.clock.advance(1);
  await setAccountVerified(testApp.app, person.email, false);
  expect(await isVerified()).toBe(false);
  expect(await listNotificationTitles(person)).toEqual([
    'The verified badge was removed from your account',
    'You have the verified badge',
  ]);
});

test('a person whose sessions an administrator ended is notified after the next log-in', async () => {
  const person = await testApp.signIn();
  await endAccountSessions(testApp.app, person.email);
  expect(await fetchMeStatus(person)).toBe(401);
  const { body } = await logIn(person);
  const grant = await postJson('/auth/v1/token?grant_type=password', {
    email: person.email,
    password: body.authPassword,
  });
  const headers = { authorization: `Bearer ${grant.body.access_token}` };
  expect(await listNotificationTitles({ headers })).toContain('You were logged out everywhere');
});

test('finds accounts by a part of the address or name, including special characters', async () => {
  const person = await testApp.signIn({ email: 'find.me_100%@usc.edu', fullName: 'Percival Percent' });
  const found = async (text: string) => (await searchAccounts(testApp.app, text)).map(({ id }) => id);
  expect(await found('me_100%')).toEqual([person.userId]);
  expect(await found('PERCIVAL')).toEqual([person.userId]);
  expect(await found('me_1%0')).toEqual([]);
  expect(await found(person.userId)).toEqual([person.userId]);
  await testApp.sql`
    INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
    VALUES (${person.userId}, 'percy@usc.edu', now(), now())`;
  expect(await found('percy@')).toEqual([person.userId]);
  expect(await found('p')).toContain(person.userId);
  await expect(getAccountSummary(testApp.app, 'nobody@usc.edu')).rejects.toThrow(
    'There is no account nobody@usc.edu',
  );
});
