import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type RateLimitName, rateLimitRules, sharedIpLimitFactor } from '#contract/limits.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCookieClient } from '#server/testing/cookie-client.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let database: TestDatabase;
let sql: Sql;
let testApp: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
  testApp = await startTestApp({
    replace: { limits: createRateLimits(sql), pages: await loadPagesBuild() },
  });
});
afterAll(async () => {
  await testApp.close();
  await sql.end();
  await database.drop();
});

let lastAddressNumber = 0;
const createNetworkAddress = (): string => {
  lastAddressNumber += 1;
  return `203.0.113.${lastAddressNumber}`;
};
/** Sets the rate limit count of a key, in a window that ends in 30 seconds. */
const setRateLimitCount = async (key: string, points: number): Promise<void> => {
  await sql`
    INSERT INTO private.rate_limits (key, points, expire) VALUES (${key}, ${points}, ${Date.now() + 30_000})
    ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`;
};
const readRateLimitCount = async (key: string): Promise<number> => {
  const [row] = await sql<{ points: number }[]>`SELECT points FROM private.rate_limits WHERE key = ${key}`;
  return row?.points ?? 0;
};
const exhaustVisitorLimit = (limit: RateLimitName, network: string): Promise<void> => {
  const { points, visitors = 1 } = rateLimitRules[limit];
  return setRateLimitCount(`${limit}:a:${network}`, points * visitors);
};

const searchCallUrls = ['/rest/v1/listings?q=desk', '/rest/v1/listings/suggestions?q=desk'];
const searchPageUrls = ['/search?q=desk', '/search.data?q=desk'];
const getStatus = async (url: string, remoteAddress: string, headers = {}, cookies = {}) =>
  (await testApp.server.inject({ url, remoteAddress, headers, cookies })).statusCode;

test('promise 47: searches of signed-in people count per account, regardless of visitors at their address', async () => {
  const network = createNetworkAddress();
  const [busy, calm] = [await testApp.signIn(), await testApp.signIn()];
  await exhaustVisitorLimit('search', network);
  for (const url of searchCallUrls) {
    expect(await getStatus(url, network), url).toBe(429);
    expect(await getStatus(url, network, { authorization: 'Bearer no.such.token' }), url).toBe(429);
    expect(await getStatus(url, network, calm.headers), url).toBe(200);
  }
  await setRateLimitCount(`search:u:${busy.userId}`, rateLimitRules.search.points);
  expect(await getStatus('/rest/v1/listings?q=desk', network, busy.headers)).toBe(429);
  expect(await getStatus('/rest/v1/listings?q=desk', createNetworkAddress(), busy.headers)).toBe(429);
  expect(await getStatus('/rest/v1/listings?q=desk', network, calm.headers)).toBe(200);
});

test('promise 47: a shared limit, higher than that of an account, stops floods from many accounts at one address', async () => {
  const network = createNetworkAddress();
  const person = await testApp.signIn();
  await setRateLimitCount(`search:s:${network}`, rateLimitRules.search.points * sharedIpLimitFactor);
  expect(await getStatus('/rest/v1/listings?q=desk', network, person.headers)).toBe(429);
  expect(await getStatus('/rest/v1/listings?q=desk', createNetworkAddress(), person.headers)).toBe(200);
});

test('promise 47: once the visitors’ limit is used up, search pages on a known device count toward its account', async () => {
  const network = createNetworkAddress();
  const { email, userId } = await testApp.signIn();
  const browser = createCookieClient(testApp.server, network);
  await browser.post('/functions/v1/login-password', { email, password: testPassword });
  await exhaustVisitorLimit('search', network);
  for (const url of searchPageUrls) {
    const refused = await testApp.server.inject({ url, remoteAddress: network });
    expect(refused.statusCode, url).toBe(429);
    expect(Number(refused.headers['retry-after']), url).toBeLessThanOrEqual(30);
    if (url === '/search?q=desk') {
      expect(refused.body).toContain('Log in to keep searching, or write to support@usc.edu.');
    }
    expect(await getStatus(url, network, {}, { 'quad-device': 'A'.repeat(43) }), url).toBe(429);
    expect(await getStatus(url, network, {}, browser.cookies), url).toBe(200);
  }
  expect(await readRateLimitCount(`search:u:${userId}`)).toBe(searchPageUrls.length);
  await setRateLimitCount(`search:u:${userId}`, rateLimitRules.search.points);
  expect(await getStatus('/search?q=desk', network, {}, browser.cookies)).toBe(429);
});

test('promise 47: pages are identical for known and unknown devices', async () => {
  const network = createNetworkAddress();
  const { email } = await testApp.signIn();
  const browser = createCookieClient(testApp.server, network);
  await browser.post('/functions/v1/login-password', { email, password: testPassword });
  for (const url of ['/', '/search?q=desk', '/category/furniture']) {
    const known = await testApp.server.inject({ url, remoteAddress: network, cookies: browser.cookies });
    const unknown = await testApp.server.inject({ url, remoteAddress: network });
    expect(known.headers['set-cookie'], url).toBeUndefined();
    expect(unknown.headers['set-cookie'], url).toBeUndefined();
    expect(known.body, url).toBe(unknown.body);
  }
});

const reportForm = { subject: 'Noise', details: 'At night', item_link: '' };
const sendReport = async (remoteAddress: string, headers = {}) => {
  const url = '/rest/v1/forms/report';
  const response = await testApp.server.inject({
    method: 'POST',
    url,
    payload: reportForm,
    remoteAddress,
    headers,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};

test('promise 47: 20 forms from one address do not block the form for others there', async () => {
  const network = createNetworkAddress();
  const person = await testApp.signIn();
  for (let count = 0; count < 20; count += 1) expect((await sendReport(network)).status).toBe(200);
  expect((await sendReport(network)).status).toBe(200);
  expect((await sendReport(network, person.headers)).status).toBe(200);
});

test('promise 47: the refusal of a form says when the limit ends and names the support address', async () => {
  const network = createNetworkAddress();
  const [busy, calm] = [await testApp.signIn(), await testApp.signIn()];
  // The rate limit library reads the system time, not the server's clock, so fake `Date`.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const expire = Date.now() + 11.5 * 60_000;
  const points = rateLimitRules.form.points * (rateLimitRules.form.visitors ?? 1);
  await sql`INSERT INTO private.rate_limits (key, points, expire) VALUES (${`form:a:${network}`}, ${points}, ${expire})`;
  const refused = await sendReport(network);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 'rate_limited',
      error: 'Too many requests. Try again in 12 minutes, or write to support@usc.edu.',
    },
  });
  expect(Number(refused.headers['retry-after'])).toBe(11.5 * 60);
  expect((await sendReport(network, calm.headers)).status).toBe(200);
  await setRateLimitCount(`form:u:${busy.userId}`, rateLimitRules.form.points);
  expect((await sendReport(network, busy.headers)).status).toBe(429);
  expect((await sendReport(network, calm.headers)).status).toBe(200);
});
