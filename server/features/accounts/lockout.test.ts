import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RateLimitName, rateLimitRules } from '#contract/limits.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits, type RateLimitSubject, type RateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { type CookieClient, createCookieClient } from '#server/testing/cookie-client.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let rateLimitDatabase: TestDatabase;
let sql: Sql;
let rateLimits: RateLimits;
let testApp: TestApp;
beforeAll(async () => {
  rateLimitDatabase = await createTestDatabase();
  sql = openDatabase(rateLimitDatabase.url, { max: 6 });
  rateLimits = createRateLimits(sql);
  testApp = await startTestApp({ replace: { limits: rateLimits } });
});
afterAll(async () => {
  await testApp.close();
  await sql.end();
  await rateLimitDatabase.drop();
});

let lastIpNumber = 0;
const newIpAddress = (): string => {
  lastIpNumber += 1;
  return `198.18.${Math.floor(lastIpNumber / 250)}.${(lastIpNumber % 250) + 1}`;
};
const wrongPassword = 'wrong-password-1';
const logIn = (browser: CookieClient, email: string, password = testPassword) =>
  browser.post('/functions/v1/login-password', { email, password });
const enterCode = (browser: CookieClient, email: string, code: string) =>
  browser.post('/functions/v1/verify-otp', { email, code });
/** Advances the clock past the cooldown of the previous code and requests a new one. */
const requestCode = (browser: CookieClient, email: string) => {
  testApp.clock.advance(31);
  return browser.post('/functions/v1/send-otp', { email });
};
const requestResetLink = (browser: CookieClient, email: string) => {
  testApp.clock.advance(31);
  return browser.post('/functions/v1/forgot-password', { email });
};
const findResetLink = (email: string): string => {
  const mail = testApp.mails.findLast(({ to, kind }) => to === email && kind === 'reset_link');
  return mail && 'token' in mail ? mail.token : '';
};
const pickWrongCode = (email: string): string => (testApp.codeFor(email) === '000000' ? '000001' : '000000');
const createStrangerBrowser = (from = newIpAddress()) => createCookieClient(testApp.server, from);
const exhaustRateLimit = async (limit: RateLimitName, caller: RateLimitSubject): Promise<void> => {
  const allowed = rateLimitRules[limit].points;
  for (let count = 0; count < allowed; count += 1) await rateLimits.consume(limit, caller);
};

/**
 * Creates a person and logs in with a browser at the client address `network`, so that the browser
 * becomes a known device.
 */
const createOwnerWithDevice = async (network: string) => {
  const { email } = await testApp.signUp();
  const browser = createCookieClient(testApp.server, network);
  expect((await logIn(browser, email)).status).toBe(200);
  return { email, browser };
};
const logInByCode = async (browser: CookieClient, email: string) => {
  const asked = await requestCode(browser, email);
  return asked.status === 200 ? enterCode(browser, email, testApp.codeFor(email)) : asked;
};

describe('promise 46: strangers never lock the owner out', () => {
  test('promise 46: wrong codes from one client block neither a known device at the same address nor other clients', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    const attacker = createStrangerBrowser(network);
    const statuses: number[] = [];
    for (let code = 0; code < 4; code += 1) {
      await requestCode(attacker, email);
      const tries = Array.from({ length: 5 }, () => enterCode(attacker, email, pickWrongCode(email)));
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(rateLimitRules.wrong_code.points);
    const refused = await enterCode(attacker, email, testApp.codeFor(email));
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBe(
      'Too many wrong codes from this network. Use your password, another network or, with a campus address, "Forgot password?", or try again in 24 hours.',
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(dayInSeconds - 60);

    expect((await logInByCode(browser, email)).status).toBe(200);
    expect((await logInByCode(createStrangerBrowser(), email)).status).toBe(200);
  });

  test('promise 46: wrong codes from many clients reach a daily limit for strangers that does not apply to a known device', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    for (let code = 0; code < 4; code += 1) {
      await requestCode(createStrangerBrowser(), email);
      await Promise.all(
        Array.from({ length: 5 }, () => enterCode(createStrangerBrowser(), email, pickWrongCode(email))),
      );
    }
    await requestCode(createStrangerBrowser(), email);
    const refused = await enterCode(createStrangerBrowser(network), email, testApp.codeFor(email));
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.error).toMatch(
      /^Too many wrong codes for this address today\. Use your password, a device you logged in on before or, with a campus address, "Forgot password\?", or try again in \d+ hours\.$/,
    );
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(23 * 3600);
    expect(wait).toBeLessThanOrEqual(dayInSeconds);

    expect((await logInByCode(browser, email)).status).toBe(200);
    expect((await logIn(browser, email)).status).toBe(200);
    testApp.clock.advance(wait);
    expect((await logInByCode(createStrangerBrowser(), email)).status).toBe(200);
  });

  test('promise 46: requests from many clients use up the daily codes for strangers, not for a known device', async () => {
    const { email, browser } = await createOwnerWithDevice(newIpAddress());
    // Count from 1, because the sign-up has already sent the first of the day's 20 codes.
    for (let code = 1; code < 20; code += 1)
      expect((await requestCode(createStrangerBrowser(), email)).status).toBe(200);
    const refused = await requestCode(createStrangerBrowser(), email);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toContain('Too many codes were requested for this address today.');
    // When the daily limit would also block a new code, the message must not suggest requesting
    // one.
    await Promise.all(
      Array.from({ length: 6 }, () => enterCode(createStrangerBrowser(), email, pickWrongCode(email))),
    );
    const dead = await enterCode(createStrangerBrowser(), email, testApp.codeFor(email));
    expect(dead.status).toBe(429);
    expect(dead.body.error).not.toContain('Request a new code');
    expect((await logInByCode(browser, email)).status).toBe(200);
  });

  test('promise 46: code and link requests from the same IP address do not count against a known device', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    const attacker = createStrangerBrowser(network);
    await exhaustRateLimit('codes_to', { address: network, about: email });
    await exhaustRateLimit('codes', { address: network });
    expect((await requestCode(attacker, email)).status).toBe(429);
    expect((await requestResetLink(attacker, email)).status).toBe(429);
    expect((await logInByCode(browser, email)).status).toBe(200);
    expect((await requestResetLink(browser, email)).status).toBe(200);
    const token = findResetLink(email);
    const reset = { token, password: 'a-better-one-2' };
    expect((await browser.post('/functions/v1/reset-password', reset)).status).toBe(200);
  });

  test('promise 46: wrong passwords from the same or other IP addresses do not block a known device', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    await exhaustRateLimit('wrong_password', { about: email, address: '' });
    await exhaustRateLimit('guess', { about: email, address: network });
    const refused = await logIn(createStrangerBrowser(), email);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBe(
      'Too many wrong passwords for this account. Use "Email me a code" or, with a campus address, "Forgot password?", or try again in 24 hours.',
    );
    expect((await logIn(createStrangerBrowser(network), email)).status).toBe(429);
    expect((await logIn(browser, email, wrongPassword)).status).toBe(401);
    expect((await logIn(browser, email)).status).toBe(200);
  });

  test('promise 46: the GoTrue routes also admit a known device while they refuse strangers', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    for (const limit of ['guess', 'wrong_code', 'codes_to'] as const) {
      await exhaustRateLimit(limit, { about: email, address: network });
    }
    testApp.clock.advance(31);
    expect((await createStrangerBrowser(network).post('/auth/v1/otp', { email })).status).toBe(429);
    expect((await browser.post('/auth/v1/otp', { email })).status).toBe(200);
    const body = { email, token: testApp.codeFor(email), type: 'email' };
    expect((await createStrangerBrowser(network).post('/auth/v1/verify', body)).status).toBe(429);
    expect((await browser.post('/auth/v1/verify', body)).status).toBe(200);
  });
});

describe('promise 46: a known device is limited, too', () => {
  test('promise 46: of 100 parallel wrong codes from a known device, five are evaluated, and at most 30 a day', async () => {
    const network = newIpAddress();
    const { email, browser } = await createOwnerWithDevice(network);
    await requestCode(browser, email);
    const wrong = pickWrongCode(email);
    const responses = await Promise.all(Array.from({ length: 100 }, () => enterCode(browser, email, wrong)));
    expect(responses.filter(({ body }) => body.code === 'code_invalid')).toHaveLength(5);
    let judged = 5;
    for (let code = 0; code < 12; code += 1) {
      if ((await requestCode(browser, email)).status !== 200) break;
      for (let count = 0; count < 5; count += 1) {
        const { body } = await enterCode(browser, email, pickWrongCode(email));
        if (body.code === 'code_invalid') judged += 1;
      }
    }
    expect(judged).toBeGreaterThanOrEqual(20);
    expect(judged).toBeLessThanOrEqual(20 + rateLimitRules.wrong_code.points);
    testApp.clock.advance(dayInSeconds);
    expect((await logInByCode(browser, email)).status).toBe(200);
  });

  test('promise 46: successful log-ins do not count against the device', async () => {
    const { email, browser } = await createOwnerWithDevice(newIpAddress());
    for (let count = 0; count < 25; count += 1) expect((await logIn(browser, email)).status).toBe(200);
    for (let count = 0; count < 10; count += 1) await logIn(browser, email, wrongPassword);
    expect((await logIn(browser, email)).status).toBe(200);
  });

  test('promise 46: endless log-ins reach a limit that affects only that account', async () => {
    const { email, browser } = await createOwnerWithDevice(newIpAddress());
    // The sign-up and the first log-in each consumed one point of the `log_in` limit. Consume all
    // remaining points but one, so that exactly one log-in is left.
    for (let count = 3; count < rateLimitRules.log_in.points; count += 1) {
      await rateLimits.consume('log_in', { about: email, address: '' });
    }
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await logIn(browser, email)).status);
    expect(statuses).toEqual([200, 429, 429]);
    const other = await createOwnerWithDevice(newIpAddress());
    expect((await logIn(other.browser, other.email)).status).toBe(200);
  });
});

describe('promise 46: a forged device gains nothing', () => {
  const forged: [string, (attacker: CookieClient) => Promise<unknown>][] = [
    ['no device', async () => {}],
    [
      'a new device id each time',
      async ({ cookies }) => {
        cookies['quad-device'] = randomBytes(32).toString('base64url');
      },
    ],
    [
      'the device of another account',
      async (attacker) => {
        const { email } = await testApp.signUp();
        await logIn(attacker, email);
      },
    ],
  ];
  test.each(forged)('promise 46: %s counts as a stranger for passwords and codes', async (_, prepare) => {
    const network = newIpAddress();
    const { email } = await createOwnerWithDevice(newIpAddress());
    const attacker = createStrangerBrowser(network);
    await prepare(attacker);
    const passwords: number[] = [];
    for (let count = 0; count <= rateLimitRules.guess.points; count += 1) {
      passwords.push((await logIn(attacker, email, wrongPassword)).status);
      if (count % 7 === 0) await prepare(attacker);
    }
    expect(passwords).toEqual([...Array(rateLimitRules.guess.points).fill(401), 429]);
    const codes = createStrangerBrowser();
    let judged = 0;
    for (let code = 0; code < 4; code += 1) {
      await requestCode(codes, email);
      for (let count = 0; count < 5; count += 1) {
        await prepare(codes);
        const { body } = await enterCode(codes, email, pickWrongCode(email));
        if (body.code === 'code_invalid') judged += 1;
      }
    }
    expect(judged).toBe(rateLimitRules.wrong_code.points);
  });
});

describe('promise 47: nobody can lock out others on the same network', () => {
  test('promise 47: 100 failed log-ins for unknown accounts lock nobody out, and no number of them locks out known devices', async () => {
    const network = newIpAddress();
    const [first, second] = [await createOwnerWithDevice(network), await createOwnerWithDevice(network)];
    const attacker = createStrangerBrowser(network);
    const fail = (times: number) =>
      Promise.all(Array.from({ length: times }, () => logIn(attacker, `${randomUUID()}@usc.edu`)));
    expect((await fail(100)).map(({ status }) => status)).toEqual(Array(100).fill(404));
    const newPhone = await testApp.signUp();
    expect((await logIn(createStrangerBrowser(network), newPhone.email)).status).toBe(200);

    for (let count = 110; count < rateLimitRules.sign_in.points; count += 1) {
      await rateLimits.consume('sign_in', { address: network });
    }
    const statuses = (await fail(30)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
    const refused = await logIn(createStrangerBrowser(network), newPhone.email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(rateLimitRules.sign_in.seconds);
    expect(refused.body.error).toBe('Too many requests. Try again in a few minutes.');

    expect((await logIn(first.browser, first.email)).status).toBe(200);
    expect((await logInByCode(second.browser, second.email)).status).toBe(200);
    await requestResetLink(first.browser, first.email);
    const reset = { token: findResetLink(first.email), password: 'a-better-one-2' };
    // A reset link works even in an unknown browser: a correct link cannot be a guess.
    expect((await createStrangerBrowser(network).post('/functions/v1/reset-password', reset)).status).toBe(
      200,
    );
    const wrong = { token: 'no-such-link', password: 'a-better-one-2' };
    expect((await createStrangerBrowser(network).post('/functions/v1/reset-password', wrong)).status).toBe(
      429,
    );
  });

  test('promise 47: only failed log-ins count toward the limit of an IP address', async () => {
    const network = newIpAddress();
    for (let count = 1; count < rateLimitRules.sign_in.points; count += 1) {
      await rateLimits.consume('sign_in', { address: network });
    }
    const people = [await testApp.signUp(), await testApp.signUp(), await testApp.signUp()];
    for (const { email } of people)
      expect((await logIn(createStrangerBrowser(network), email)).status).toBe(200);
    expect((await logIn(createStrangerBrowser(network), people[0]?.email ?? '', wrongPassword)).status).toBe(
      401,
    );
    expect((await logIn(createStrangerBrowser(network), people[0]?.email ?? '')).status).toBe(429);
  });

  test('sign-ups that send no code do not use up the codes for an address', async () => {
    const network = newIpAddress();
    const browser = createStrangerBrowser(network);
    const email = `${randomUUID()}@usc.edu`;
    const signUp = (password: string) =>
      browser.post('/functions/v1/signup', { email, password, fullName: 'Nina New' });
    const signUpRepeatedly = async (password: string) => {
      const codes = new Set<string>();
      for (let count = 0; count <= rateLimitRules.codes_to.points; count += 1)
        codes.add((await signUp(password)).body.code);
      return [...codes];
    };
    expect(await signUpRepeatedly('password1')).toEqual(['weak_password']);
    expect((await signUp(testPassword)).status).toBe(200);
    expect((await signUp(testPassword)).status).toBe(200);
    await enterCode(browser, email, testApp.codeFor(email));
    expect(await signUpRepeatedly(testPassword)).toEqual(['account_exists']);
    const [row] = await sql`
      SELECT points FROM private.rate_limits WHERE key LIKE ${`codes_to:p:${network}:%`}`;
    expect(row?.points).toBe(1);
  });

  test('promise 47: attempts refused by the limit of an account do not count toward the limit of the IP address', async () => {
    const network = newIpAddress();
    const { email } = await testApp.signUp();
    const attacker = createStrangerBrowser(network);
    for (let count = 0; count < 60; count += 1) await logIn(attacker, email, wrongPassword);
    const [row] = await sql`SELECT points FROM private.rate_limits WHERE key = ${`sign_in:a:${network}`}`;
    expect(row?.points).toBe(rateLimitRules.guess.points);
  });

  test('promise 47: unknown refresh tokens get status 429, while sessions at the same IP address continue', async () => {
    const network = newIpAddress();
    const person = await testApp.signUp();
    await exhaustRateLimit('token', { address: network });
    const refresh = (refresh_token: string) =>
      createStrangerBrowser(network).post('/auth/v1/token?grant_type=refresh_token', { refresh_token });
    expect((await refresh('no-such-token')).status).toBe(429);
    expect((await refresh(person.refreshToken)).status).toBe(200);
    const { browser, email } = await createOwnerWithDevice(network);
    const { body } = await logIn(browser, email);
    const exchange = (password: string) =>
      browser.post('/auth/v1/token?grant_type=password', { email, password });
    expect((await exchange('no-such-credential')).status).toBe(429);
    expect((await exchange(body.authPassword)).status).toBe(200);
  });
});
