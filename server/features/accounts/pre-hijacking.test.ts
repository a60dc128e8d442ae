import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { type CookieClient, createCookieClient } from '#server/testing/cookie-client.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const strangersPassword = 'known-to-a-stranger-1';
const ownersPassword = 'known-to-the-owner-2';
const createEmailAddress = () => `${randomUUID()}@usc.edu`;
const newBrowser = () => createCookieClient(testApp.server);

type SignUpRequest = (
  browser: CookieClient,
  email: string,
  password: string,
  name: string,
) => Promise<unknown>;

const signUpRequests: Record<string, SignUpRequest> = {
  '/functions/v1/signup': (browser, email, password, fullName) =>
    browser.post('/functions/v1/signup', { email, password, fullName }),
  '/auth/v1/signup': (browser, email, password, full_name) =>
    browser.post('/auth/v1/signup', { email, password, data: { full_name } }),
};
const signUp = signUpRequests['/functions/v1/signup'] as SignUpRequest;

const enterCode = (browser: CookieClient, email: string, shown: { password?: string } = {}) =>
  browser.post('/functions/v1/verify-otp', { email, code: testApp.codeFor(email), ...shown });
const createGotrueVerification =
  (type: string, send: string) => async (browser: CookieClient, email: string) => {
    if (send) {
      testApp.clock.advance(31);
      await browser.post(send, send.endsWith('/resend') ? { email, type: 'signup' } : { email });
    }
    return browser.post('/auth/v1/verify', { email, token: testApp.codeFor(email), type });
  };
const createPasswordReset = (call: string) => async (browser: CookieClient, email: string) => {
  await browser.post(call, { email });
  const mail = testApp.mails.findLast(({ to, kind }) => to === email && kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  return browser.post('/functions/v1/reset-password', { token, password: ownersPassword });
};

/** All ways to confirm an account, by name. */
const confirmationMethods: Record<
  string,
  (browser: CookieClient, email: string) => ReturnType<CookieClient['post']>
> = {
  'verify-otp with the code of the sign-up': enterCode,
  ...Object.fromEntries(
    ['send-otp', 'send-verification-code'].map((name) => [
      `verify-otp after ${name}`,
      async (browser: CookieClient, email: string) => {
        testApp.clock.advance(31);
        await browser.post(`/functions/v1/${name}`, { email });
        return enterCode(browser, email);
      },
    ]),
  ),
  '/auth/v1/verify of type signup': createGotrueVerification('signup', ''),
  '/auth/v1/verify of type signup after resend': createGotrueVerification('signup', '/auth/v1/resend'),
  '/auth/v1/verify of type email after otp': createGotrueVerification('email', '/auth/v1/otp'),
  '/auth/v1/verify of type magiclink after otp': createGotrueVerification('magiclink', '/auth/v1/otp'),
  'the link of forgot-password': createPasswordReset('/functions/v1/forgot-password'),
  'the link of /auth/v1/recover': createPasswordReset('/auth/v1/recover'),
};

const canLogIn = async (email: string, password: string): Promise<boolean> => {
  const { status } = await newBrowser().post('/functions/v1/login-password', { email, password });
  return status === 200;
};
const findFullName = async (email: string): Promise<string | null> => {
  const [row] = await testApp.sql`SELECT full_name FROM users WHERE email = ${email}`;
  return row?.full_name;
};
const isConfirmed = async (email: string): Promise<boolean> => {
  const rows = await testApp.sql`
    SELECT FROM users JOIN private.credentials ON user_id = id WHERE email = ${email} AND confirmed_at IS NOT NULL`;
  return rows.length === 1;
};

describe.each(Object.entries(signUpRequests))(
  'an address that a stranger signed up with %s',
  (_call, signUpBy) => {
    test.each(Object.entries(confirmationMethods))(
      'promise 45: loses the stranger’s password and name when confirmed in another browser by %s',
      async (_way, confirm) => {
        const email = createEmailAddress();
        await signUpBy(newBrowser(), email, strangersPassword, 'Stranger Danger');
        expect((await confirm(newBrowser(), email)).status).toBe(200);
        expect(await isConfirmed(email)).toBe(true);
        expect(await canLogIn(email, strangersPassword)).toBe(false);
        expect(await findFullName(email)).toBeNull();
      },
    );
  },
);

test.each(Object.entries(confirmationMethods))(
  'promise 45: an account confirmed in the browser that signed up, by %s, keeps password and name',
  async (way, confirm) => {
    const email = createEmailAddress();
    const browser = newBrowser();
    await signUp(browser, email, ownersPassword, 'Olive Owner');
    expect((await confirm(browser, email)).status).toBe(200);
    expect(await canLogIn(email, ownersPassword)).toBe(true);
    expect(await findFullName(email)).toBe('Olive Owner');
    if (way.includes('/auth/v1/verify')) return;
    const { body } = await browser.post('/functions/v1/login-password', { email, password: ownersPassword });
    expect(body.passwordNeeded).toBe(false);
  },
);

describe('promise 45: an address that two people signed up', () => {
  test('keeps what the owner set last when confirmed in the owner’s browser', async () => {
    const email = createEmailAddress();
    const owner = newBrowser();
    await signUp(newBrowser(), email, strangersPassword, 'Stranger Danger');
    await signUp(owner, email, ownersPassword, 'Olive Owner');
    expect(await enterCode(owner, email)).toMatchObject({ status: 200, body: { passwordNeeded: false } });
    expect(await canLogIn(email, ownersPassword)).toBe(true);
    expect(await canLogIn(email, strangersPassword)).toBe(false);
    expect(await findFullName(email)).toBe('Olive Owner');
  });

  test('keeps nothing from a stranger who signed up last', async () => {
    const email = createEmailAddress();
    const owner = newBrowser();
    await signUp(owner, email, ownersPassword, 'Olive Owner');
    await signUp(newBrowser(), email, strangersPassword, 'Stranger Danger');
    expect(await enterCode(owner, email)).toMatchObject({ status: 200, body: { passwordNeeded: true } });
    expect(await canLogIn(email, strangersPassword)).toBe(false);
    expect(await findFullName(email)).toBeNull();
  });

  test('does not keep a stranger’s name when the owner signs up without one', async () => {
    const email = createEmailAddress();
    const owner = newBrowser();
    await signUp(newBrowser(), email, strangersPassword, 'Stranger Danger');
    await owner.post('/auth/v1/signup', { email, password: ownersPassword });
    await enterCode(owner, email);
    expect(await canLogIn(email, ownersPassword)).toBe(true);
    expect(await findFullName(email)).toBeNull();
  });

  test('keeps nothing from a stranger who signs up while the owner enters the code', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = createEmailAddress();
      const owner = newBrowser();
      await signUp(owner, email, ownersPassword, 'Olive Owner');
      const strangers = Array.from({ length: 3 }, () =>
        signUp(newBrowser(), email, strangersPassword, 'Stranger Danger'),
      );
      await Promise.all([enterCode(owner, email), ...strangers]);
      expect(await isConfirmed(email)).toBe(true);
      expect(await canLogIn(email, strangersPassword)).toBe(false);
      expect(await findFullName(email)).not.toBe('Stranger Danger');
    }
  });
});

describe('promise 45: a client without cookies', () => {
  const waysToShow: Record<string, (email: string, password: string) => ReturnType<CookieClient['post']>> = {
    'verify-otp': (email, password) => enterCode(newBrowser(), email, { password }),
    '/auth/v1/verify': (email, password) =>
      newBrowser().post('/auth/v1/verify', {
        email,
        token: testApp.codeFor(email),
        type: 'signup',
        password,
      }),
  };

  test.each(Object.entries(waysToShow))(
    'keeps password and name by sending the password to %s',
    async (_call, show) => {
      const email = createEmailAddress();
      await signUp(newBrowser(), email, ownersPassword, 'Olive Owner');
      expect((await show(email, ownersPassword)).status).toBe(200);
      expect(await canLogIn(email, ownersPassword)).toBe(true);
      expect(await findFullName(email)).toBe('Olive Owner');
    },
  );

  test.each(Object.entries(waysToShow))(
    'discards password and name by sending another password to %s',
    async (_call, show) => {
      const email = createEmailAddress();
      await signUp(newBrowser(), email, strangersPassword, 'Stranger Danger');
      expect((await show(email, ownersPassword)).status).toBe(200);
      expect(await canLogIn(email, strangersPassword)).toBe(false);
      expect(await canLogIn(email, ownersPassword)).toBe(false);
      expect(await findFullName(email)).toBeNull();
    },
  );
});

test('promise 45: confirming in another browser that entered the correct password keeps the password and name', async () => {
  const email = createEmailAddress();
  const [first, second] = [newBrowser(), newBrowser()];
  await signUp(first, email, ownersPassword, 'Olive Owner');
  await second.post('/functions/v1/login-password', { email, password: ownersPassword });
  expect(await enterCode(second, email)).toMatchObject({ status: 200, body: { passwordNeeded: false } });
  expect(await findFullName(email)).toBe('Olive Owner');
});

test('promise 45: confirming in a browser that entered a wrong password discards the sign-up’s password', async () => {
  const email = createEmailAddress();
  const owner = newBrowser();
  await signUp(newBrowser(), email, strangersPassword, 'Stranger Danger');
  await owner.post('/functions/v1/login-password', { email, password: ownersPassword });
  expect(await enterCode(owner, email)).toMatchObject({ status: 200, body: { passwordNeeded: true } });
  expect(await canLogIn(email, strangersPassword)).toBe(false);
});

test('promise 45: no session is opened before confirmation, so nobody can set an avatar', async () => {
  const email = createEmailAddress();
  const stranger = newBrowser();
  await signUp(stranger, email, strangersPassword, 'Stranger Danger');
  const credentials = { email, password: strangersPassword };
  expect(await stranger.post('/functions/v1/login-password', credentials)).toMatchObject({
    status: 403,
    body: { code: 'email_not_verified' },
  });
  expect((await stranger.post('/auth/v1/token?grant_type=password', credentials)).status).toBe(400);
  const rows = await testApp.sql`
    SELECT FROM private.sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`;
  expect(rows).toHaveLength(0);
});

test('promise 45: a code in a new browser does not change a confirmed account', async () => {
  const email = createEmailAddress();
  const browser = newBrowser();
  await signUp(browser, email, ownersPassword, 'Olive Owner');
  await enterCode(browser, email);
  testApp.clock.advance(31);
  const other = newBrowser();
  await other.post('/functions/v1/send-otp', { email });
  expect(await enterCode(other, email)).toMatchObject({ status: 200, body: { passwordNeeded: false } });
  expect(await canLogIn(email, ownersPassword)).toBe(true);
  expect(await findFullName(email)).toBe('Olive Owner');
});

test('promise 45: confirmation deletes the id of the device that signed up', async () => {
  const email = createEmailAddress();
  const browser = newBrowser();
  await signUp(browser, email, ownersPassword, 'Olive Owner');
  await enterCode(browser, email);
  const [row] = await testApp.sql`
    SELECT signup_device FROM private.credentials JOIN users ON id = user_id WHERE email = ${email}`;
  expect(row).toEqual({ signup_device: null });
});
