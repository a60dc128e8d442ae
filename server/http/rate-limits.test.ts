import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RateLimitName, rateLimitRules, sharedIpLimitFactor } from '#contract/limits.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits, type RateLimitSubject, type RateLimits } from '#server/platform/rate-limits.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCookieClient } from '#server/testing/cookie-client.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let database: TestDatabase;
let sql: Sql;
let rateLimits: RateLimits;
let testApp: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
  rateLimits = createRateLimits(sql);
  testApp = await startTestApp({
    replace: { limits: rateLimits, pages: await loadPagesBuild() },
    environment: { QUAD_TRUST_PROXY: '10.0.0.0/8' },
  });
});
afterAll(async () => {
  await testApp.close();
  await sql.end();
  await database.drop();
});

let lastAddressNumber = 0;
/** Returns an unused client address. */
const createClientAddress = (): string => {
  lastAddressNumber += 1;
  return `192.0.${Math.floor(lastAddressNumber / 250)}.${(lastAddressNumber % 250) + 1}`;
};

const exhaustLimit = async (limit: RateLimitName, caller: RateLimitSubject, factor = 1): Promise<void> => {
  for (let count = 0; count < rateLimitRules[limit].points * factor; count += 1)
    await rateLimits.consume(limit, caller);
};

const postJson = (url: string, payload: object, remoteAddress = createClientAddress(), headers = {}) =>
  testApp.server.inject({ method: 'POST', url, payload, remoteAddress, headers });

const logInWithPassword = (
  { email }: Pick<Person, 'email'>,
  remoteAddress?: string,
  password = testPassword,
) => postJson('/functions/v1/login-password', { email, password }, remoteAddress);

describe('promise 37: rate limits', () => {
  test('count by account, whatever its IP address, without affecting others at the same address', async () => {
    const [busy, calm] = [await testApp.signIn(), await testApp.signIn()];
    const save = (person: Person, remoteAddress: string) =>
      testApp.server.inject({
        method: 'PATCH',
        url: '/rest/v1/me',
        headers: person.headers,
        payload: { bio: 'Hello' },
        remoteAddress,
      });
    await exhaustLimit('write', { userId: busy.userId, address: createClientAddress() });
    const address = createClientAddress();
    const refused = await save(busy, address);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(rateLimitRules.write.seconds);
    expect((await save(calm, address)).statusCode).toBe(200);
  });

  test('limit all accounts at one IP address together to ten times the limit of an account', async () => {
    const address = createClientAddress();
    for (let account = 0; account < sharedIpLimitFactor; account += 1) {
      await exhaustLimit('form', { address, userId: randomUUID() });
    }
    const more = (where: string) => rateLimits.consume('form', { address: where, userId: randomUUID() });
    await expect(more(address)).rejects.toMatchObject({ code: 'rate_limited' });
    await more(createClientAddress());
    // Requests of signed-in accounts do not count toward the limit for visitors at the same
    // address.
    await rateLimits.consume('form', { address });
  });

  test('are counted across all processes', async () => {
    const another = createRateLimits(sql);
    const address = createClientAddress();
    await exhaustLimit('sign_up', { address }, 300 / rateLimitRules.sign_up.points);
    await expect(another.consume('sign_up', { address })).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('count an IPv6 client by its /64', async () => {
    const attempt = (tail: string) => logInWithPassword({ email: 'nobody@usc.edu' }, `2001:db8:77:${tail}`);
    for (let count = 0; count < rateLimitRules.guess.points; count += 1) {
      expect((await attempt(`1::${count.toString(16)}`)).statusCode).toBe(404);
    }
    expect((await attempt('1:ffff:0:1:2')).statusCode).toBe(429);
    expect((await attempt('2::1')).statusCode).toBe(404);
  });

  test('count the rightmost X-Forwarded-For address that is not a trusted proxy', async () => {
    const email = `${randomUUID()}@usc.edu`;
    const attempt = (remoteAddress: string, forwarded: string) =>
      postJson('/functions/v1/login-password', { email, password: testPassword }, remoteAddress, {
        'x-forwarded-for': forwarded,
      });
    await exhaustLimit('guess', { address: '198.51.100.50', about: email });
    expect((await attempt('10.1.2.3', '198.51.100.50')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '203.0.113.1, 198.51.100.50')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '198.51.100.50, 10.9.9.9')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '198.51.100.50, 203.0.113.2')).statusCode).toBe(404);
    // The X-Forwarded-For header of an untrusted client is ignored; its own address is counted.
    expect((await attempt('203.0.113.3', '198.51.100.50')).statusCode).toBe(404);
    await exhaustLimit('guess', { address: '203.0.113.4', about: email });
    expect((await attempt('203.0.113.4', '203.0.113.5')).statusCode).toBe(429);
    for (const nonsense of ['', ',', 'a'.repeat(5000), "'; DROP TABLE users", '1.2.3.4:80']) {
      expect((await attempt('10.1.2.3', nonsense)).statusCode, nonsense.slice(0, 20)).toBe(404);
    }
  });

  test('apply to searches through the API or a page, and to no other reads', async () => {
    const remoteAddress = createClientAddress();
    await sql`INSERT INTO private.rate_limits (key, points, expire)
      VALUES (${`search:a:${remoteAddress}`}, ${rateLimitRules.search.points}, ${Date.now() + 30_000})`;
    const get = (url: string) => testApp.server.inject({ url, remoteAddress });
    for (const url of [
      '/rest/v1/listings?q=desk',
      '/rest/v1/listings/suggestions?q=desk',
      '/search?q=desk',
      '/search.data?q=desk',
    ]) {
      const { statusCode, headers } = await get(url);
      expect(statusCode, url).toBe(429);
      expect(headers, url).toMatchObject({
        'cache-control': 'no-store',
        'retry-after': expect.stringMatching(/^\d+$/),
      });
    }
    for (const url of [
      '/rest/v1/listings?limit=8',
      '/rest/v1/listings?q=',
      '/rest/v1/listings/suggestions?q=',
      '/search',
      '/category/furniture',
    ]) {
      expect((await get(url)).statusCode, url).toBe(200);
    }
  });

  test.each([
    '/rest/v1/%6Cistings?q=desk',
    '/rest/v1/listings/%73uggestions?q=desk',
    '/%73earch?q=desk',
    '/Search?q=desk',
    '/search//?q=desk',
    '/SEARCH.data?q=desk',
  ])('apply to a search however its URL is spelled: %s', async (url) => {
    const remoteAddress = createClientAddress();
    expect((await testApp.server.inject({ url, remoteAddress })).statusCode).toBe(200);
    await sql`UPDATE private.rate_limits SET points = ${rateLimitRules.search.points}
      WHERE key = ${`search:a:${remoteAddress}`}`;
    expect((await testApp.server.inject({ url, remoteAddress })).statusCode).toBe(429);
  });

  test('over the limit, a page request gets an error page, which is not cached', async () => {
    const remoteAddress = createClientAddress();
    await sql`INSERT INTO private.rate_limits (key, points, expire)
      VALUES (${`search:a:${remoteAddress}`}, ${rateLimitRules.search.points}, ${Date.now() + 30_000})`;
    const search = (from: string) => testApp.server.inject({ url: '/search?q=lamp', remoteAddress: from });
    const { headers, body } = await search(remoteAddress);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(body).toContain('Too many requests. Try again in a few minutes.');
    expect((await search(createClientAddress())).statusCode).toBe(200);
    expect((await search(remoteAddress)).statusCode).toBe(429);
  });
});

describe('promise 37: nobody can lock out another person', () => {
  test('too many attempts on one account from one address do not lock its owner out', async () => {
    const owner = await testApp.signIn();
    const attacker = createClientAddress();
    for (let count = 0; count < rateLimitRules.guess.points; count += 1) {
      expect((await logInWithPassword(owner, attacker, `wrong-password-${count}`)).statusCode).toBe(401);
    }
    expect((await logInWithPassword(owner, attacker)).statusCode).toBe(429);
    expect((await logInWithPassword(owner)).statusCode).toBe(200);
  });

  test('an account attacked from many addresses still accepts known devices, a code and a reset link', async () => {
    const owner = await testApp.signIn();
    const home = createClientAddress();
    const browser = createCookieClient(testApp.server, home);
    const atHome = async (password = testPassword) =>
      (await browser.post('/functions/v1/login-password', { email: owner.email, password })).status;
    expect(await atHome()).toBe(200);
    const exhaustAccount = () => exhaustLimit('wrong_password', { about: owner.email, address: '' });

    await exhaustAccount();
    expect((await logInWithPassword(owner)).statusCode).toBe(429);
    // A request from the owner's network address but without the owner's device cookie is still
    // refused, because everybody on a campus network may share one address.
    expect((await logInWithPassword(owner, home)).statusCode).toBe(429);
    expect(await atHome('wrong-password-1')).toBe(401);
    expect(await atHome()).toBe(200);
    // The owner's successful log-in has reset the count of wrong passwords.
    expect((await logInWithPassword(owner)).statusCode).toBe(200);

    await exhaustAccount();
    testApp.clock.advance(31);
    const cafe = createClientAddress();
    expect((await postJson('/functions/v1/send-otp', { email: owner.email }, cafe)).statusCode).toBe(200);
    const code = testApp.codeFor(owner.email);
    expect((await postJson('/functions/v1/verify-otp', { email: owner.email, code }, cafe)).statusCode).toBe(
      200,
    );
    expect((await logInWithPassword(owner, cafe)).statusCode).toBe(200);

    await exhaustAccount();
    expect((await logInWithPassword(owner)).statusCode).toBe(429);
    await postJson('/functions/v1/forgot-password', { email: owner.email });
    const mail = testApp.mails.findLast((candidate) => candidate.to === owner.email && 'token' in candidate);
    const token = mail && 'token' in mail ? mail.token : '';
    const reset = await postJson('/functions/v1/reset-password', { token, password: 'a-better-one-2' });
    expect(reset.statusCode).toBe(200);
    expect((await logInWithPassword(owner, createClientAddress(), 'a-better-one-2')).statusCode).toBe(200);
  });

  test('one client cannot use up the daily codes of an address', async () => {
    const owner = await testApp.signIn();
    const attacker = createClientAddress();
    const requestCode = async (where: string) => {
      testApp.clock.advance(31);
      return (await postJson('/functions/v1/send-otp', { email: owner.email }, where)).statusCode;
    };
    for (let count = 0; count < rateLimitRules.codes_to.points; count += 1)
      expect(await requestCode(attacker)).toBe(200);
    expect(await requestCode(attacker)).toBe(429);
    expect(await requestCode(createClientAddress())).toBe(200);
  });

  test('the GoTrue routes count toward the same limits', async () => {
    const owner = await testApp.signIn();
    const address = createClientAddress();
    await exhaustLimit('codes_to', { address, about: owner.email });
    for (const place of ['otp', 'recover', 'resend']) {
      const body = { email: owner.email, type: 'signup' };
      expect((await postJson(`/auth/v1/${place}`, body, address)).statusCode, place).toBe(429);
    }
    await exhaustLimit('guess', { address, about: owner.email });
    const verify = { email: owner.email, token: '000000', type: 'email' };
    expect((await postJson('/auth/v1/verify', verify, address)).statusCode).toBe(429);
    await exhaustLimit('write', { address: createClientAddress(), userId: owner.userId });
    const change = await testApp.server.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: owner.headers,
      payload: {},
    });
    expect(change.statusCode).toBe(429);
  });

  test('guesses at the current password of an old session are limited', async () => {
    const owner = await testApp.signIn();
    testApp.clock.advance(25 * 3600);
    const renewed = await postJson('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: owner.refreshToken,
    });
    const headers = { authorization: `Bearer ${renewed.json().access_token}` };
    const change = async (count: number) =>
      (
        await testApp.server.inject({
          method: 'PUT',
          url: '/auth/v1/user',
          headers,
          remoteAddress: createClientAddress(),
          payload: { password: 'taken-over-1', current_password: `guess-${count}` },
        })
      ).statusCode;
    for (let count = 0; count < rateLimitRules.guess.points; count += 1)
      expect(await change(count)).toBe(400);
    expect(await change(0)).toBe(429);
  });
});
