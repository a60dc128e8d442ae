import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type LimitName, limits, sharedAddressFactor } from '#contract/limits.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createBrowser } from '#server/testing/browser.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let database: TestDatabase;
let sql: Sql;
let quad: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
  quad = await startTestApp({ deps: { rateLimits: createRateLimits(sql), pages: await loadPagesBuild() } });
});
afterAll(async () => {
  await quad.close();
  await sql.end();
  await database.drop();
});

let lastAddress = 0;
const createNetworkAddress = (): string => {
  lastAddress += 1;
  return `203.0.113.${lastAddress}`;
};
/** Sets a counter whose window ends in 30 seconds. */
const setCount = async (key: string, points: number): Promise<void> => {
  await sql`
    INSERT INTO private.rate_limits (key, points, expire) VALUES (${key}, ${points}, ${Date.now() + 30_000})
    ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`;
};
const readCount = async (key: string): Promise<number> => {
  const [row] = await sql<{ points: number }[]>`SELECT points FROM private.rate_limits WHERE key = ${key}`;
  return row?.points ?? 0;
};
const exhaustForVisitors = (limit: LimitName, network: string): Promise<void> => {
  const { points, visitors = 1 } = limits[limit];
  return setCount(`${limit}:a:${network}`, points * visitors);
};

const searchCalls = ['/rest/v1/listings?q=desk', '/rest/v1/listings/suggestions?q=desk'];
const searchPages = ['/search?q=desk', '/search.data?q=desk'];
const get = async (url: string, remoteAddress: string, headers = {}, cookies = {}) =>
  (await quad.app.inject({ url, remoteAddress, headers, cookies })).statusCode;

test('promise 47: searches of signed-in people count per account, regardless of visitors at their address', async () => {
  const network = createNetworkAddress();
  const [busy, calm] = [await quad.signIn(), await quad.signIn()];
  await exhaustForVisitors('search', network);
  for (const url of searchCalls) {
    expect(await get(url, network), url).toBe(429);
    expect(await get(url, network, { authorization: 'Bearer no.such.token' }), url).toBe(429);
    expect(await get(url, network, calm.headers), url).toBe(200);
  }
  await setCount(`search:u:${busy.userId}`, limits.search.points);
  expect(await get('/rest/v1/listings?q=desk', network, busy.headers)).toBe(429);
  expect(await get('/rest/v1/listings?q=desk', createNetworkAddress(), busy.headers)).toBe(429);
  expect(await get('/rest/v1/listings?q=desk', network, calm.headers)).toBe(200);
});

test('promise 47: a wider limit stops a flood from many accounts at one address', async () => {
  const network = createNetworkAddress();
  const person = await quad.signIn();
  await setCount(`search:s:${network}`, limits.search.points * sharedAddressFactor);
  expect(await get('/rest/v1/listings?q=desk', network, person.headers)).toBe(429);
  expect(await get('/rest/v1/listings?q=desk', createNetworkAddress(), person.headers)).toBe(200);
});

test('promise 47: when the visitors’ limit is used up, a search page counts for the account that knows the device', async () => {
  const network = createNetworkAddress();
  const { email, userId } = await quad.signIn();
  const browser = createBrowser(quad.app, network);
  await browser.post('/functions/v1/login-password', { email, password: testPassword });
  await exhaustForVisitors('search', network);
  for (const url of searchPages) {
    const refused = await quad.app.inject({ url, remoteAddress: network });
    expect(refused.statusCode, url).toBe(429);
    expect(Number(refused.headers['retry-after']), url).toBeLessThanOrEqual(30);
    if (url === '/search?q=desk') {
      expect(refused.body).toContain('Log in to keep searching, or write to support@usc.edu.');
    }
    expect(await get(url, network, {}, { 'quad-device': 'A'.repeat(43) }), url).toBe(429);
    expect(await get(url, network, {}, browser.cookies), url).toBe(200);
  }
  expect(await readCount(`search:u:${userId}`)).toBe(searchPages.length);
  await setCount(`search:u:${userId}`, limits.search.points);
  expect(await get('/search?q=desk', network, {}, browser.cookies)).toBe(429);
});

test('promise 47: pages are identical for known and unknown devices', async () => {
  const network = createNetworkAddress();
  const { email } = await quad.signIn();
  const browser = createBrowser(quad.app, network);
  await browser.post('/functions/v1/login-password', { email, password: testPassword });
  for (const url of ['/', '/search?q=desk', '/category/furniture']) {
    const known = await quad.app.inject({ url, remoteAddress: network, cookies: browser.cookies });
    const unknown = await quad.app.inject({ url, remoteAddress: network });
    expect(known.headers['set-cookie'], url).toBeUndefined();
    expect(unknown.headers['set-cookie'], url).toBeUndefined();
    expect(known.body, url).toBe(unknown.body);
  }
});

const report = { subject: 'Noise', details: 'At night', item_link: '' };
const sendReport = async (remoteAddress: string, headers = {}) => {
  const url = '/rest/v1/forms/report';
  const response = await quad.app.inject({ method: 'POST', url, payload: report, remoteAddress, headers });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};

test('promise 47: 20 forms from one address do not block the form for others there', async () => {
  const network = createNetworkAddress();
  const person = await quad.signIn();
  for (let count = 0; count < 20; count += 1) expect((await sendReport(network)).status).toBe(200);
  expect((await sendReport(network)).status).toBe(200);
  expect((await sendReport(network, person.headers)).status).toBe(200);
});

test('promise 47: the refusal of a form says when the limit ends and names the support address', async () => {
  const network = createNetworkAddress();
  const [busy, calm] = [await quad.signIn(), await quad.signIn()];
  // The rate limit library reads the machine's clock.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const expire = Date.now() + 11.5 * 60_000;
  const points = limits.form.points * (limits.form.visitors ?? 1);
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
  await setCount(`form:u:${busy.userId}`, limits.form.points);
  expect((await sendReport(network, busy.headers)).status).toBe(429);
  expect((await sendReport(network, calm.headers)).status).toBe(200);
});
