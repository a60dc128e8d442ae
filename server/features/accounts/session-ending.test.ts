import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';

let firstApp: TestApp;
let isolatedApp: TestApp;
beforeAll(async () => {
  const secrets = generateSecrets();
  firstApp = await startTestApp({ replace: { secrets } });
  // The second server uses the same database but another bus, so it does not receive the first
  // server's announcements of ended sessions.
  const { sql, clock } = firstApp;
  isolatedApp = await startTestApp({ replace: { secrets, sql, clock, bus: createInProcessBus() } });
});
afterAll(async () => {
  await isolatedApp.close();
  await firstApp.close();
});

const fetchMeStatus = async ({ server }: TestApp, { headers }: Person) =>
  (await server.inject({ url: '/rest/v1/me', headers })).statusCode;
const postJson = (url: string, payload: object, person?: Person) =>
  firstApp.server.inject({ method: 'POST', url, payload, headers: person?.headers ?? {} });

const newPassword = 'a-new-password-9';
const changePassword = ({ headers }: Person) =>
  firstApp.server.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    payload: { password: newPassword },
    headers,
  });
const resetPassword = async ({ email }: Person) => {
  await postJson('/functions/v1/forgot-password', { email });
  const mail = firstApp.mails.findLast((sent) => sent.to === email && sent.kind === 'reset_link');
  const token = mail?.kind === 'reset_link' ? mail.token : '';
  return postJson('/functions/v1/reset-password', { token, password: newPassword });
};

type Request = (person: Person) => Promise<{ statusCode: number }>;
const requestsEndingAllSessions: [string, Request][] = [
  ['logging out everywhere', (person) => postJson('/auth/v1/logout?scope=global', {}, person)],
  ['resetting the password', resetPassword],
];
const sessionEndingRequests: [string, Request][] = [
  ['logging out', (person) => postJson('/auth/v1/logout?scope=local', {}, person)],
  ...requestsEndingAllSessions,
];

test.each(sessionEndingRequests)(
  'promise 12: %s ends access immediately in the same process, and within 5 s in a disconnected one',
  async (_, end) => {
    const person = await firstApp.signIn();
    expect(await fetchMeStatus(firstApp, person)).toBe(200);
    expect(await fetchMeStatus(isolatedApp, person)).toBe(200);
    expect((await end(person)).statusCode).toBeLessThan(300);
    expect(await fetchMeStatus(firstApp, person)).toBe(401);
    firstApp.clock.advance(5);
    expect(await fetchMeStatus(isolatedApp, person)).toBe(401);
    const refreshed = await postJson('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: person.refreshToken,
    });
    expect(refreshed.statusCode).toBe(400);
  },
);

test.each<[string, Request]>([...requestsEndingAllSessions, ['changing the password', changePassword]])(
  'promise 12: %s invalidates the one-time credential of an unfinished log-in',
  async (_, end) => {
    const person = await firstApp.signIn();
    const { email } = person;
    const logIn = await postJson('/functions/v1/login-password', { email, password: testPassword });
    expect((await end(person)).statusCode).toBeLessThan(300);
    const password = logIn.json().authPassword;
    expect(password).toBeTypeOf('string');
    const exchanged = await postJson('/auth/v1/token?grant_type=password', { email, password });
    expect(exchanged.statusCode).toBe(400);
  },
);

const waitForBlockedStatement = () =>
  expect
    .poll(
      () => firstApp.sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    .toHaveLength(1);

test('promise 12: a log-in with the old password that runs while the password changes is refused', async () => {
  const { email, userId } = await firstApp.signIn();
  let logIn: ReturnType<typeof postJson> | undefined;
  await firstApp.sql.begin(async (tx) => {
    await tx`UPDATE private.credentials SET password_hash = 'changed' WHERE user_id = ${userId}`;
    logIn = postJson('/functions/v1/login-password', { email, password: testPassword });
    await waitForBlockedStatement();
  });
  const response = await logIn;
  expect(response?.json()).toMatchObject({ code: 'invalid_credentials' });
});

test('promise 12: changing the password is refused when a reset ends the session meanwhile', async () => {
  const person = await firstApp.signIn();
  const { userId } = person;
  let change: ReturnType<typeof changePassword> | undefined;
  await firstApp.sql.begin(async (tx) => {
    await tx`UPDATE private.credentials SET password_hash = 'reset' WHERE user_id = ${userId}`;
    change = changePassword(person);
    await waitForBlockedStatement();
    await tx`DELETE FROM private.sessions WHERE user_id = ${userId}`;
  });
  expect((await change)?.json()).toMatchObject({ code: 'session_not_found' });
  const [stored] =
    await firstApp.sql`SELECT password_hash FROM private.credentials WHERE user_id = ${userId}`;
  expect(stored).toEqual({ password_hash: 'reset' });
});

test('promise 12: logging out everywhere also ends a session that is just being started', async () => {
  const person = await firstApp.signIn();
  const { email, userId } = person;
  const logIn = await postJson('/functions/v1/login-password', { email, password: testPassword });
  let exchange: ReturnType<typeof postJson> | undefined;
  let logOut: ReturnType<typeof postJson> | undefined;
  await firstApp.sql.begin(async (tx) => {
    await tx`SELECT 1 FROM private.credentials WHERE user_id = ${userId} FOR UPDATE`;
    const password = logIn.json().authPassword;
    exchange = postJson('/auth/v1/token?grant_type=password', { email, password });
    await waitForBlockedStatement();
    logOut = postJson('/auth/v1/logout?scope=global', {}, person);
    await logOut;
  });
  expect((await logOut)?.statusCode).toBe(204);
  expect((await exchange)?.statusCode).toBe(400);
});

test('promise 12: refreshing a session while it ends is refused, without a deadlock', async () => {
  const person = await firstApp.signIn();
  let renewal: ReturnType<typeof postJson> | undefined;
  await firstApp.sql.begin(async (tx) => {
    // Ends the sessions in the same lock order as the server: session rows first; their refresh
    // tokens are deleted by cascade.
    await tx`SELECT 1 FROM private.sessions WHERE user_id = ${person.userId} FOR UPDATE`;
    renewal = postJson('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken });
    await waitForBlockedStatement();
    await tx`SET LOCAL lock_timeout = '200ms'`;
    await tx`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  });
  expect((await renewal)?.statusCode).toBe(400);
});
