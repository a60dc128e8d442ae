import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LimitName, limits, sharedAddressFactor } from '#contract/limits.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { type Caller, createRateLimits, type RateLimits } from '#server/platform/rate-limits.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createBrowser } from '#server/testing/browser.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let database: TestDatabase;
let sql: Sql;
let rateLimits: RateLimits;
let quad: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
  rateLimits = createRateLimits(sql);
  quad = await startTestApp({
    deps: { rateLimits, pages: await loadPagesBuild() },
    environment: { TRUST_PROXY: '10.0.0.0/8' },
  });
});
afterAll(async () => {
  await quad.close();
  await sql.end();
  await database.drop();
});

let lastAddress = 0;
/** Returns an unused client address. */
const createAddress = (): string => {
  lastAddress += 1;
  return `192.0.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
};

const exhaustLimit = async (limit: LimitName, caller: Caller, factor = 1): Promise<void> => {
  for (let count = 0; count < limits[limit].points * factor; count += 1)
    await rateLimits.consume(limit, caller);
};

const post = (url: string, payload: object, remoteAddress = createAddress(), headers = {}) =>
  quad.app.inject({ method: 'POST', url, payload, remoteAddress, headers });

const logIn = ({ email }: Pick<Person, 'email'>, remoteAddress?: string, password = testPassword) =>
  post('/functions/v1/login-password', { email, password }, remoteAddress);

describe('promise 37: rate limits', () => {
  test('count by account, whatever its address, without affecting others at the same address', async () => {
    const [busy, calm] = [await quad.signIn(), await quad.signIn()];
    const save = (person: Person, remoteAddress: string) =>
      quad.app.inject({
        method: 'PATCH',
        url: '/rest/v1/me',
        headers: person.headers,
        payload: { bio: 'Hello' },
        remoteAddress,
      });
    await exhaustLimit('write', { userId: busy.userId, address: createAddress() });
    const address = createAddress();
    const refused = await save(busy, address);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(limits.write.seconds);
    expect((await save(calm, address)).statusCode).toBe(200);
  });

  test('limit all accounts of one address together to ten times as much', async () => {
    const address = createAddress();
    for (let account = 0; account < sharedAddressFactor; account += 1) {
      await exhaustLimit('form', { address, userId: randomUUID() });
    }
    const more = (where: string) => rateLimits.consume('form', { address: where, userId: randomUUID() });
    await expect(more(address)).rejects.toMatchObject({ code: 'rate_limited' });
    await more(createAddress());
    // Requests of accounts do not count toward the visitors of that address.
    await rateLimits.consume('form', { address });
  });

  test('are counted across all processes', async () => {
    const another = createRateLimits(sql);
    const address = createAddress();
    await exhaustLimit('sign_up', { address }, 300 / limits.sign_up.points);
    await expect(another.consume('sign_up', { address })).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('count an IPv6 client by its /64', async () => {
    const attempt = (tail: string) => logIn({ email: 'nobody@usc.edu' }, `2001:db8:77:${tail}`);
    for (let count = 0; count < limits.guess.points; count += 1) {
      expect((await attempt(`1::${count.toString(16)}`)).statusCode).toBe(404);
    }
    expect((await attempt('1:ffff:0:1:2')).statusCode).toBe(429);
    expect((await attempt('2::1')).statusCode).toBe(404);
  });

  test('trust only the addresses that trusted proxies saw themselves', async () => {
    const email = `${randomUUID()}@usc.edu`;
    const attempt = (remoteAddress: string, forwarded: string) =>
      post('/functions/v1/login-password', { email, password: testPassword }, remoteAddress, {
        'x-forwarded-for': forwarded,
      });
    await exhaustLimit('guess', { address: '198.51.100.50', about: email });
    expect((await attempt('10.1.2.3', '198.51.100.50')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '203.0.113.1, 198.51.100.50')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '198.51.100.50, 10.9.9.9')).statusCode).toBe(429);
    expect((await attempt('10.1.2.3', '198.51.100.50, 203.0.113.2')).statusCode).toBe(404);
    // An untrusted client that sends the header is counted by its own address.
    expect((await attempt('203.0.113.3', '198.51.100.50')).statusCode).toBe(404);
    await exhaustLimit('guess', { address: '203.0.113.4', about: email });
    expect((await attempt('203.0.113.4', '203.0.113.5')).statusCode).toBe(429);
    for (const nonsense of ['', ',', 'a'.repeat(5000), "'; DROP TABLE users", '1.2.3.4:80']) {
      expect((await attempt('10.1.2.3', nonsense)).statusCode, nonsense.slice(0, 20)).toBe(404);
    }
  });

  test('apply to searches, as calls and as pages, and to no other read', async () => {
    const remoteAddress = createAddress();
    await sql`INSERT INTO private.rate_limits (key, points, expire)
      VALUES (${`search:a:${remoteAddress}`}, ${limits.search.points}, ${Date.now() + 30_000})`;
    const get = (url: string) => quad.app.inject({ url, remoteAddress });
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
    const remoteAddress = createAddress();
    expect((await quad.app.inject({ url, remoteAddress })).statusCode).toBe(200);
    await sql`UPDATE private.rate_limits SET points = ${limits.search.points}
      WHERE key = ${`search:a:${remoteAddress}`}`;
    expect((await quad.app.inject({ url, remoteAddress })).statusCode).toBe(429);
  });

  test('a page over the limit responds with a page, which is not cached', async () => {
    const remoteAddress = createAddress();
    await sql`INSERT INTO private.rate_limits (key, points, expire)
      VALUES (${`search:a:${remoteAddress}`}, ${limits.search.points}, ${Date.now() + 30_000})`;
    const search = (from: string) => quad.app.inject({ url: '/search?q=lamp', remoteAddress: from });
    const { headers, body } = await search(remoteAddress);
    expect(headers['content-type']).toContain('text/html');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(body).toContain('Too many requests. Try again in a few minutes.');
    expect((await search(createAddress())).statusCode).toBe(200);
    expect((await search(remoteAddress)).statusCode).toBe(429);
  });
});

describe('promise 37: nobody can lock out another person', () => {
  test('too many attempts on one account from one address do not lock its owner out', async () => {
    const owner = await quad.signIn();
    const attacker = createAddress();
    for (let count = 0; count < limits.guess.points; count += 1) {
      expect((await logIn(owner, attacker, `wrong-password-${count}`)).statusCode).toBe(401);
    }
    expect((await logIn(owner, attacker)).statusCode).toBe(429);
    expect((await logIn(owner)).statusCode).toBe(200);
  });

  test('an account attacked from many addresses still accepts known devices, a code and a reset link', async () => {
    const owner = await quad.signIn();
    const home = createAddress();
    const browser = createBrowser(quad.app, home);
    const atHome = async (password = testPassword) =>
      (await browser.post('/functions/v1/login-password', { email: owner.email, password })).status;
    expect(await atHome()).toBe(200);
    const exhaustAccount = () => exhaustLimit('wrong_password', { about: owner.email, address: '' });

    await exhaustAccount();
    expect((await logIn(owner)).statusCode).toBe(429);
    // The address alone proves nothing, because everybody on a campus network shares it.
    expect((await logIn(owner, home)).statusCode).toBe(429);
    expect(await atHome('wrong-password-1')).toBe(401);
    expect(await atHome()).toBe(200);
    // The owner's success resets the count.
    expect((await logIn(owner)).statusCode).toBe(200);

    await exhaustAccount();
    quad.clock.advance(31);
    const cafe = createAddress();
    expect((await post('/functions/v1/send-otp', { email: owner.email }, cafe)).statusCode).toBe(200);
    const code = quad.codeFor(owner.email);
    expect((await post('/functions/v1/verify-otp', { email: owner.email, code }, cafe)).statusCode).toBe(200);
    expect((await logIn(owner, cafe)).statusCode).toBe(200);

    await exhaustAccount();
    expect((await logIn(owner)).statusCode).toBe(429);
    await post('/functions/v1/forgot-password', { email: owner.email });
    const mail = quad.mails.findLast((candidate) => candidate.to === owner.email && 'token' in candidate);
    const token = mail && 'token' in mail ? mail.token : '';
    const reset = await post('/functions/v1/reset-password', { token, password: 'a-better-one-2' });
    expect(reset.statusCode).toBe(200);
    expect((await logIn(owner, createAddress(), 'a-better-one-2')).statusCode).toBe(200);
  });

  test('one client cannot use up the daily codes of an address', async () => {
    const owner = await quad.signIn();
    const attacker = createAddress();
    const requestCode = async (where: string) => {
      quad.clock.advance(31);
      return (await post('/functions/v1/send-otp', { email: owner.email }, where)).statusCode;
    };
    for (let count = 0; count < limits.codes_to.points; count += 1)
      expect(await requestCode(attacker)).toBe(200);
    expect(await requestCode(attacker)).toBe(429);
    expect(await requestCode(createAddress())).toBe(200);
  });

  test('the GoTrue routes count toward the same limits', async () => {
    const owner = await quad.signIn();
    const address = createAddress();
    await exhaustLimit('codes_to', { address, about: owner.email });
    for (const place of ['otp', 'recover', 'resend']) {
      const body = { email: owner.email, type: 'signup' };
      expect((await post(`/auth/v1/${place}`, body, address)).statusCode, place).toBe(429);
    }
    await exhaustLimit('guess', { address, about: owner.email });
    const verify = { email: owner.email, token: '000000', type: 'email' };
    expect((await post('/auth/v1/verify', verify, address)).statusCode).toBe(429);
    await exhaustLimit('write', { address: createAddress(), userId: owner.userId });
    const change = await quad.app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: owner.headers,
      payload: {},
    });
    expect(change.statusCode).toBe(429);
  });

  test('guesses at the current password of an old session are limited', async () => {
    const owner = await quad.signIn();
    quad.clock.advance(25 * 3600);
    const renewed = await post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: owner.refreshToken,
    });
    const headers = { authorization: `Bearer ${renewed.json().access_token}` };
    const change = async (count: number) =>
      (
        await quad.app.inject({
          method: 'PUT',
          url: '/auth/v1/user',
          headers,
          remoteAddress: createAddress(),
          payload: { password: 'taken-over-1', current_password: `guess-${count}` },
        })
      ).statusCode;
    for (let count = 0; count < limits.guess.points; count += 1) expect(await change(count)).toBe(400);
    expect(await change(0)).toBe(429);
  });
});
