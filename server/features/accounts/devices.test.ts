import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownDeviceLifetimeSeconds } from '#contract/accounts.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { type CookieClient, createCookieClient } from '#server/testing/cookie-client.ts';
import { isKnownDevice } from './device-repository.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const newEmailAddress = () => `${randomUUID()}@usc.edu`;
const getDeviceId = ({ cookies }: CookieClient): string => cookies['quad-device'] ?? '';
const isKnownBrowser = (browser: CookieClient, email: string): Promise<boolean> =>
  isKnownDevice(testApp.sql, hashToken(getDeviceId(browser)), email);
const logIn = (browser: CookieClient, email: string, password = testPassword) =>
  browser.post('/functions/v1/login-password', { email, password });
const enterCode = (browser: CookieClient, email: string) =>
  browser.post('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
const requestResetLink = async (email: string): Promise<string> => {
  testApp.clock.advance(31);
  await createCookieClient(testApp.server).post('/functions/v1/forgot-password', { email });
  const mail = testApp.mails.findLast(({ to, kind }) => to === email && kind === 'reset_link');
  return mail && 'token' in mail ? mail.token : '';
};

test('sign-up sets a device id, which becomes known once the code confirms the address', async () => {
  const browser = createCookieClient(testApp.server);
  const email = newEmailAddress();
  const body = { email, password: testPassword, fullName: 'Dee Vice' };
  const { headers } = await browser.post('/functions/v1/signup', body);
  expect(headers['set-cookie']).toBe(
    `quad-device=${getDeviceId(browser)}; Max-Age=${knownDeviceLifetimeSeconds}; Path=/; HttpOnly; SameSite=Strict`,
  );
  expect(await isKnownBrowser(browser, email)).toBe(false);
  const signedUpWith = getDeviceId(browser);
  await browser.post('/functions/v1/signup', body);
  expect(getDeviceId(browser)).toBe(signedUpWith);
  expect((await enterCode(browser, email)).status).toBe(200);
  expect(await isKnownBrowser(browser, email)).toBe(true);
});

test.each(['password', 'code', 'code of the GoTrue dialect', 'reset link'])(
  'a log-in by %s makes the browser a known device, for that account only',
  async (way) => {
    const { email } = await testApp.signUp();
    const browser = createCookieClient(testApp.server);
    testApp.clock.advance(31);
    if (way.startsWith('code')) await browser.post('/functions/v1/send-otp', { email });
    if (way === 'password') await logIn(browser, email);
    if (way === 'code') await enterCode(browser, email);
    if (way.endsWith('dialect')) {
      await browser.post('/auth/v1/verify', { email, token: testApp.codeFor(email), type: 'email' });
    }
    if (way === 'reset link') {
      const token = await requestResetLink(email);
      await browser.post('/functions/v1/reset-password', { token, password: 'a-better-one-2' });
    }
    expect(await isKnownBrowser(browser, email)).toBe(true);
    expect(await isKnownBrowser(browser, newEmailAddress())).toBe(false);
    expect(await isKnownBrowser(createCookieClient(testApp.server), email)).toBe(false);
  },
);

test('failed log-ins, wrong codes and invalid links do not make the browser a known device', async () => {
  const { email } = await testApp.signUp();
  const browser = createCookieClient(testApp.server);
  const stored = () => testApp.sql`SELECT 1 FROM private.known_devices`;
  const before = (await stored()).length;
  const wrong = testApp.codeFor(email) === '000000' ? '000001' : '000000';
  await logIn(browser, email, 'wrong-password-1');
  await browser.post('/functions/v1/verify-otp', { email, code: wrong });
  await browser.post('/functions/v1/reset-password', { token: 'no-such-link', password: 'a-better-one-2' });
  await browser.post('/functions/v1/signup', {
    email: newEmailAddress(),
    password: testPassword,
    fullName: 'Una Confirmed',
  });
  expect(await isKnownBrowser(browser, email)).toBe(false);
  expect(await stored()).toHaveLength(before);
});

test('a planted device id is replaced at log-in, and the new id inherits the accounts that knew the old one', async () => {
  const [attacker, victim] = [await testApp.signUp(), await testApp.signUp()];
  const theirs = createCookieClient(testApp.server);
  await logIn(theirs, attacker.email);
  const browser = createCookieClient(testApp.server);
  Object.assign(browser.cookies, theirs.cookies);
  await logIn(browser, victim.email);
  expect(getDeviceId(browser)).not.toBe(getDeviceId(theirs));
  expect(await isKnownBrowser(theirs, victim.email)).toBe(false);
  expect(await isKnownBrowser(browser, victim.email)).toBe(true);
  expect(await isKnownBrowser(browser, attacker.email)).toBe(true);
  expect(await isKnownBrowser(theirs, attacker.email)).toBe(false);
});

test('a known device keeps its id, and each log-in extends its cookie', async () => {
  const { email } = await testApp.signUp();
  const browser = createCookieClient(testApp.server);
  await logIn(browser, email);
  const id = getDeviceId(browser);
  const { headers } = await logIn(browser, email);
  expect(headers['set-cookie']).toContain(`Max-Age=${knownDeviceLifetimeSeconds}`);
  expect(getDeviceId(browser)).toBe(id);
});

test.each(['', 'short', 'a'.repeat(44), `${'a'.repeat(42)}"`, '%00'])(
  'an invalid device cookie counts as none: %j',
  async (id) => {
    const { email } = await testApp.signUp();
    const browser = createCookieClient(testApp.server);
    browser.cookies['quad-device'] = id;
    expect((await logIn(browser, email)).status).toBe(200);
    expect(getDeviceId(browser)).toMatch(/^[\w-]{43}$/);
    expect(await isKnownBrowser(browser, email)).toBe(true);
  },
);

test('only a hash of the device id is stored', async () => {
  const { email } = await testApp.signUp();
  const browser = createCookieClient(testApp.server);
  await logIn(browser, email);
  expect(await createAccountClient(testApp).findTraces(getDeviceId(browser))).toEqual([]);
});

test('an account remembers its 20 most recently used devices', async () => {
  const { email, userId } = await testApp.signUp();
  const browsers = Array.from({ length: 22 }, () => createCookieClient(testApp.server));
  for (const browser of browsers) {
    testApp.clock.advance(1);
    await logIn(browser, email);
  }
  const known = await Promise.all(browsers.map((browser) => isKnownBrowser(browser, email)));
  expect(known).toEqual([false, false, ...Array(20).fill(true)]);
  const rows = await testApp.sql`SELECT 1 FROM private.known_devices WHERE user_id = ${userId}`;
  expect(rows).toHaveLength(20);
});

test('a password reset forgets every device except the one it was used on', async () => {
  const { email } = await testApp.signUp();
  const [earlier, here] = [createCookieClient(testApp.server), createCookieClient(testApp.server)];
  await logIn(earlier, email);
  await logIn(here, email);
  const token = await requestResetLink(email);
  await here.post('/functions/v1/reset-password', { token, password: 'a-better-one-2' });
  expect(await isKnownBrowser(here, email)).toBe(true);
  expect(await isKnownBrowser(earlier, email)).toBe(false);
});

test('a password change in the settings forgets every device except the current one', async () => {
  const person = await testApp.signUp();
  const [earlier, here] = [createCookieClient(testApp.server), createCookieClient(testApp.server)];
  await logIn(earlier, person.email);
  await logIn(here, person.email);
  const changed = await testApp.server.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: person.headers,
    cookies: here.cookies,
    payload: { password: 'a-better-one-2' },
  });
  expect(changed.statusCode).toBe(200);
  expect(await isKnownBrowser(here, person.email)).toBe(true);
  expect(await isKnownBrowser(earlier, person.email)).toBe(false);
});

test('the devices of an account are in its data export and are deleted with the account', async () => {
  const person = await testApp.signUp();
  const browser = createCookieClient(testApp.server);
  await logIn(browser, person.email);
  const accounts = createAccountClient(testApp);
  const at = testApp.clock.now().toISOString();
  expect((await accounts.download(person)).json().devices.at(-1)).toEqual({
    first_used_at: at,
    last_used_at: at,
  });
  await accounts.deleteAccount(person);
  expect(await isKnownBrowser(browser, person.email)).toBe(false);
  expect(
    await testApp.sql`SELECT 1 FROM private.known_devices WHERE user_id = ${person.userId}`,
  ).toHaveLength(0);
});

test('with https the cookie is Secure and limited to this host', async () => {
  const secure = await startTestApp({
    environment: { QUAD_PUBLIC_URL: 'https://quad.test', QUAD_SMTP_URL: 'smtp://127.0.0.1:25' },
  });
  try {
    const browser = createCookieClient(secure.server);
    const { headers } = await browser.post('/functions/v1/signup', {
      email: newEmailAddress(),
      password: testPassword,
      fullName: 'Dee Vice',
    });
    expect(headers['set-cookie']).toMatch(
      /^__Host-quad-device=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  } finally {
    await secure.close();
  }
});
