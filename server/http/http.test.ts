import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { createRateLimits, toClientAddressKey } from '#server/platform/rate-limits.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';
import manifest from '../../package.json' with { type: 'json' };

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const createErrorMatcher = (code: string) => ({ error: expect.any(String), code });

describe('promise 36: unreadable requests are refused in the error format', () => {
  const post = (payload: string | Buffer, contentType: string, url = '/functions/v1/login-password') =>
    testApp.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': contentType },
      payload,
    });

  test.each([
    ['{"email": ', 'application/json', 400, 'malformed_request'],
    ['{"__proto__": {"admin": true}}', 'application/json', 400, 'malformed_request'],
    ['email=a', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['hello', 'text/plain', 415, 'unsupported_media_type'],
    ['<a/>', 'application/xml', 415, 'unsupported_media_type'],
    ['"text"', 'application/json', 400, 'validation_failed'],
    ['[1, 2]', 'application/json', 400, 'validation_failed'],
    ['null', 'application/json', 400, 'validation_failed'],
    ['', 'application/json', 400, 'validation_failed'],
    ['{"email": 5, "password": {"$ne": 1}}', 'application/json', 400, 'validation_failed'],
  ])('%s as %s', async (payload, contentType, status, code) => {
    const response = await post(payload, contentType);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject(createErrorMatcher(code));
  });

  test('a body of a megabyte', async () => {
    const response = await post(JSON.stringify({ email: 'a'.repeat(1024 * 1024) }), 'application/json');
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject(createErrorMatcher('too_large'));
  });

  test('deeply nested JSON', async () => {
    const depth = 20_000;
    const nested = `{"subject":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const response = await post(nested, 'application/json', '/rest/v1/forms/report');
    expect(response.statusCode).toBe(400);
  });
});

test.each(['/rest/v1/nothing', '/functions/v1/nothing', '/storage/v1/nothing', '/realtime/v1/nothing'])(
  'the unknown path %s returns 404 as JSON',
  async (url) => {
    const response = await testApp.server.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject(createErrorMatcher('not_found'));
  },
);

test.each([
  ['nothing', ''],
  ['no token', 'Bearer'],
  ['an invalid token', 'Bearer x.y.z'],
  ['another scheme', 'Basic abc'],
  ['a very long token', `Bearer ${'a'.repeat(5000)}`],
])('a call that requires a session refuses %s as authorization', async (_what, authorization) => {
  const response = await testApp.server.inject({ url: '/rest/v1/me', headers: { authorization } });
  expect(response.statusCode).toBe(401);
  expect(response.json()).toEqual({ error: 'Not authenticated', code: 'not_authenticated' });
});

test('promise 35: foreign origins get no CORS headers', async () => {
  const response = await testApp.server.inject({
    method: 'OPTIONS',
    url: '/functions/v1/login-password',
    headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
  });
  expect(response.headers['access-control-allow-origin']).toBeUndefined();
});

test('the health checks report alive and ready', async () => {
  const health = await testApp.server.inject({ url: '/healthz' });
  expect([health.statusCode, health.json()]).toEqual([200, { alive: true, version: manifest.version }]);
  expect((await testApp.server.inject({ url: '/readyz' })).json()).toEqual({
    ready: true,
    database: true,
    files: true,
    jobs: true,
  });
});

test('the calls are documented as OpenAPI 3.1, each with its errors', async () => {
  const document = (await testApp.server.inject({ url: '/docs/json' })).json();
  expect(document.openapi).toBe('3.1.0');
  const login = document.paths['/functions/v1/login-password'].post;
  expect(login.responses['401'].description).toContain('Invalid email or password');
  expect(login.requestBody.content['application/json'].schema.required).toContain('password');
});

test('/openapi.json is the same document, with every route of /auth and /storage', async () => {
  const document = (await testApp.server.inject({ url: '/openapi.json' })).json();
  expect(document).toEqual((await testApp.server.inject({ url: '/docs/json' })).json());
  const documented = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = Object.keys(authorizationTable)
    .map((row) => row.replace(/ \(.*\)$/, '').replace('{*}', '{path}'))
    .filter((route) => /^\w+ \/(auth|storage)\//.test(route));
  expect(documented.filter((route) => /^\w+ \/(auth|storage)\//.test(route)).sort()).toEqual(
    [...new Set(served)].sort(),
  );
  const { post } = document.paths['/auth/v1/token'];
  expect(post.requestBody.content['application/json'].schema.anyOf).toHaveLength(4);
  expect(post.parameters).toMatchObject([{ name: 'grant_type', in: 'query', required: true }]);
});

test('the documentation states the version and the limits of each call', async () => {
  const document = (await testApp.server.inject({ url: '/docs/json' })).json();
  expect(document.info.version).toBe(manifest.version);
  const operations = Object.values(allCalls).map((call: CallDeclaration) => {
    const { responses } = document.paths[call.path][call.method.toLowerCase()];
    return { call, statuses: Object.keys(responses) };
  });
  expect(operations.length).toBeGreaterThan(30);
  for (const { call, statuses } of operations) {
    expect(statuses, call.path).toEqual(expect.arrayContaining(['500', '503']));
    if (call.method !== 'GET') expect(statuses, call.path).toContain('413');
    if (call.body) expect(statuses, call.path).toContain('415');
    if (call.limit) expect(statuses, call.path).toContain('429');
  }
  // `listListings` has no rate limit of its own: only requests with a query text count as searches.
  // Its 429 response must be documented nevertheless.
  expect(document.paths[calls.listListings.path].get.responses['429'].description).toContain('rate_limited');
});

describe('promise 37: rate limits', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::1', '2001:db8:1:2'],
    ['2001:0db8::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('count %s as %s', (address, key) => {
    expect(toClientAddressKey(address)).toBe(key);
  });

  test('return 429 with Retry-After by address, and ignore forwarded headers from untrusted clients', async () => {
    const limited = await startTestApp();
    const rateLimits = createRateLimits(limited.sql);
    const strict = await startTestApp({ replace: { limits: rateLimits } });
    try {
      const attempt = (remoteAddress: string, forwarded: string) =>
        strict.server.inject({
          method: 'POST',
          url: '/functions/v1/login-password',
          remoteAddress,
          headers: { 'x-forwarded-for': forwarded },
          payload: { email: 'nobody@usc.edu', password: testPassword },
        });
      const statuses: number[] = [];
      for (let count = 0; count < 21; count += 1) {
        statuses.push((await attempt('198.51.100.7', `192.0.2.${count}`)).statusCode);
      }
      expect(statuses.slice(0, 20)).toEqual(Array(20).fill(404));
      const refused = await attempt('198.51.100.7', '192.0.2.200');
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.json().error).toBe('Too many requests. Try again in a few minutes.');
      expect((await attempt('198.51.100.8', '198.51.100.7')).statusCode).toBe(404);
    } finally {
      await strict.close();
      await limited.close();
    }
  });
});
