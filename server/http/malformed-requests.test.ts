import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { getListeningPort, parseStatuses, sendRawBytes } from '#server/testing/raw-socket.ts';
import { buildHttpServerOptions } from './http-server-options.ts';

let testApp: TestApp;
let port: number;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  port = getListeningPort(testApp.server.server);
});
afterAll(() => testApp.close());

const parseResponseBody = (response: string): unknown =>
  JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));

const webSocketHeaders = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const anyErrorBody = { error: expect.any(String), code: expect.any(String) };
/** Matches details of the machine, the framework or the parser, which responses must not reveal. */
const internalDetailsPattern =
  /node_modules|\/server\/|at \w+ \(|fastify|HPE_|FST_|ERR_|postgres|stack|"statusCode"/i;

describe('promise 36: malformed requests are refused in the error format without parser details', () => {
  const host = 'Host: quad.test\r\n';
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['headers of 64 KB', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
    ['an address of 64 KB', `GET /${'a'.repeat(65_536)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['a header that is folded', `GET / HTTP/1.1\r\n${host}X: a\r\n b: c\r\nBad Name: x\r\n\r\n`, 400],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400],
    ['a negative length', `POST /rest/v1/forms/report HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    ['an unknown method', `BREW / HTTP/1.1\r\n${host}\r\n`, 400],
  ])('%s', async (_what, bytes, status) => {
    const response = await sendRawBytes(port, bytes);
    expect(parseStatuses(response)).toEqual([status]);
    expect(parseResponseBody(response)).toEqual(anyErrorBody);
    expect(response).toMatch(/^connection: close$/im);
    expect(response).not.toMatch(internalDetailsPattern);
  });

  test.each(['TRACE', 'CONNECT'])('%s is refused and echoes nothing', async (method) => {
    const response = await sendRawBytes(
      port,
      `${method} /healthz HTTP/1.1\r\nHost: quad.test\r\nX-Secret: 4711\r\nConnection: close\r\n\r\n`,
    );
    expect(response).not.toContain('4711');
    expect(parseStatuses(response).filter((status) => status < 400)).toEqual([]);
  });

  test('a request without a host is refused', async () => {
    expect(parseStatuses(await sendRawBytes(port, 'GET /healthz HTTP/1.1\r\n\r\n'))).toEqual([400]);
  });

  test.each([
    ['two hosts', 'GET /healthz', 'Host: quad.test\r\nHost: evil.example\r\n'],
    ['the same host twice', 'GET /', 'Host: quad.test\r\nhost: quad.test\r\n'],
    ['two hosts for a page', 'GET /search?q=desk', 'Host: quad.test\r\nX: y\r\nHOST:\r\n'],
    [
      'two hosts for a socket',
      'GET /realtime/v1/websocket?vsn=2.0.0',
      `Host: quad.test\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${webSocketHeaders}`,
    ],
  ])('a request whose Host headers name %s is refused', async (_what, target, headers) => {
    const response = await sendRawBytes(port, `${target} HTTP/1.1\r\n${headers}\r\n`);
    expect(parseStatuses(response)).toEqual([400]);
    expect(parseResponseBody(response)).toMatchObject({ code: 'malformed_request' });
    expect(response).toMatch(/^connection: close$/im);
  });

  test.each([
    '/%',
    '/%zz',
    '/%c0%ae%c0%ae/etc/passwd',
    '/rest/v1/listings/%ff',
    `/rest/v1/users/${'a'.repeat(400)}`,
    '/rest/v1/listings?limit=%zz',
    '/rest/v1/listings?cursor=%00',
    '/../../etc/passwd',
    '/assets/../../package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/storage/v1/object/public/listing-photos/%2e%2e/%2e%2e/secrets.json',
    '//evil.example/',
    '/\\evil.example',
  ])('the URL %s is refused or not found, and the response reveals no internals', async (path) => {
    const response = await sendRawBytes(
      port,
      `GET ${path} HTTP/1.1\r\nHost: quad.test\r\nConnection: close\r\n\r\n`,
    );
    const [status = 0] = parseStatuses(response);
    expect(status === 200 ? path : '', `${status}`).toMatch(/^$|limit=%zz|cursor/);
    expect(status).toBeLessThan(500);
    const body = response.slice(response.indexOf('\r\n\r\n'));
    if (!body.includes('<!DOCTYPE html>')) expect(body).not.toMatch(internalDetailsPattern);
    expect(response).not.toMatch(/^location:/im);
    expect(response).toMatch(/^x-content-type-options: nosniff$/im);
  });

  test('a database failure during a call reveals no details', async () => {
    const person = await testApp.signIn();
    await testApp.sql`ALTER TABLE users RENAME COLUMN bio TO biography`;
    try {
      const response = await testApp.server.inject({ url: '/rest/v1/me', headers: person.headers });
      expect(response.statusCode).toBe(500);
      expect(response.json()).toEqual({ error: expect.any(String), code: 'internal' });
      expect(response.body).not.toMatch(/bio|column|users|select/i);
    } finally {
      await testApp.sql`ALTER TABLE users RENAME COLUMN biography TO bio`;
    }
  });
});

test('a question mark in a search query is part of the text', async () => {
  const open = async (path: string) =>
    await sendRawBytes(port, `GET ${path} HTTP/1.1\r\nHost: quad.test\r\nConnection: close\r\n\r\n`);
  const titleOf = (response: string) => /<title>([^<]*)<\/title>/.exec(response)?.[1];
  expect(titleOf(await open('/search?q=desk'))).toContain('desk');
  // Request the page twice, because the second response comes from the page cache.
  for (const _ of [1, 2]) expect(titleOf(await open('/search?q=desk?x'))).toContain('desk?x');
  expect(titleOf(await open('/search?q=desk'))).not.toContain('desk?x');
});

describe('promise 36: ambiguous requests are refused', () => {
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: quad.test\r\nConnection: close\r\n\r\n';
  const head = 'POST /rest/v1/forms/report HTTP/1.1\r\nHost: quad.test\r\nContent-Type: application/json\r\n';
  test.each([
    [
      'a length and a transfer encoding',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${head}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n`],
    ['two hosts', 'GET /readyz HTTP/1.1\r\nHost: quad.test\r\nHost: evil.example\r\n\r\n'],
    ['a list of lengths', `${head}Content-Length: 0, ${smuggled.length}\r\n\r\n`],
    ['a length with a sign', `${head}Content-Length: +0\r\n\r\n`],
    ['a transfer encoding that only looks chunked', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunked not at the end', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', `${head}Content-Length : ${smuggled.length}\r\n\r\n`],
    ['a chunk with a wrong size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
  ])('%s: the connection is closed and a smuggled request is not served', async (_what, bytes) => {
    const response = await sendRawBytes(port, bytes + smuggled);
    expect(parseStatuses(response).length).toBe(1);
    expect(parseStatuses(response)[0]).toBe(400);
    expect(response).not.toContain('"alive"');
  });
});

describe('promise 36: each body has its own size limit', () => {
  const post = (url: string, bytes: number, headers = {}) =>
    testApp.server.inject({ method: 'POST', url, headers, payload: { email: 'a'.repeat(bytes) } });

  test('for log-ins, for JSON calls and for calls without a body', async () => {
    const person = await testApp.signIn();
    for (const url of ['/functions/v1/login-password', '/auth/v1/token?grant_type=password']) {
      expect((await post(url, 15_000)).statusCode, url).toBe(400);
      expect((await post(url, 17_000)).statusCode, url).toBe(413);
    }
    expect((await post('/rest/v1/forms/report', 60_000)).statusCode).toBe(400);
    expect((await post('/rest/v1/forms/report', 70_000)).statusCode).toBe(413);
    const remove = await testApp.server.inject({
      method: 'DELETE',
      url: '/rest/v1/me/listings/nothing',
      headers: person.headers,
      payload: { much: 'a'.repeat(2000) },
    });
    expect(remove.statusCode).toBe(413);
  });

  test('the longest allowed text fits, however it is escaped', async () => {
    const escaped = '\\ud83d\\ude00'.repeat(4000);
    const response = await testApp.server.inject({
      method: 'POST',
      url: '/rest/v1/forms/report',
      headers: { 'content-type': 'application/json' },
      payload: `{"subject":"A concern","details":"${escaped}"}`,
    });
    expect(response.statusCode).toBe(200);
  });

  test.each([
    'application/jsonp',
    'application/json-seq',
    'application/x-json',
    'text/json',
    'application/json, text/html',
    'application/vnd.api+json',
    '\tapplication/json',
    'multipart/form-data; boundary=x',
  ])('a body of type %s is parsed only if the type is application/json', async (type) => {
    const response = await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/login-password',
      headers: { 'content-type': type },
      payload: '{"email":"nobody@usc.edu","password":"some-password-1"}',
    });
    // White space around the media type must be ignored. In that case, status 404 shows that the body was
    // parsed, because the account in it does not exist.
    expect(response.statusCode).toBe(type.trim() === 'application/json' ? 404 : 415);
  });
});

describe('promise 36: slow clients', () => {
  const sendToImpatientServer = async (bytes: string) => {
    const times = { headers: 150, request: 300, check: 25 };
    const app = Fastify(buildHttpServerOptions(defaultCampus, times));
    app.post('/', async () => ({ taken: true }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await sendRawBytes(getListeningPort(app.server), bytes);
    await app.close();
    return response;
  };

  test.each([
    ['sends nothing', ''],
    ['stops in its headers', 'POST / HTTP/1.1\r\nHost: quad.test\r\nX: a'],
    [
      'stops in its body',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('a client that %s gets 408 and is disconnected', async (_what, bytes) => {
    const response = await sendToImpatientServer(bytes);
    expect(parseStatuses(response)).toEqual([408]);
    expect(parseResponseBody(response)).toMatchObject({ code: 'request_timeout' });
  });
});

describe('the development mailbox', () => {
  const start = (environment: Record<string, string>) => startTestApp({ environment });
  const open = async (testApp: TestApp, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    (
      await testApp.server.inject({
        url: '/dev/mail',
        headers: { host: 'localhost:3000', ...headers },
        remoteAddress,
      })
    ).statusCode;

  test.each([
    ['a mail server is configured', { NODE_ENV: 'production', QUAD_SMTP_URL: 'smtp://mail.test' }],
    ['a mail server is configured for development', { QUAD_SMTP_URL: 'smtp://mail.test' }],
    ['visitors come through TLS', { QUAD_PUBLIC_URL: 'https://quad.test', QUAD_MAIL: 'off' }],
    ['mail is off', { QUAD_MAIL: 'off' }],
  ])('does not exist where %s', async (_where, environment) => {
    const testApp = await start(environment);
    expect(await open(testApp)).toBe(404);
    await testApp.close();
  });

  test('opens only for direct requests from a browser on this machine', async () => {
    const testApp = await start({ NODE_ENV: 'production', QUAD_PUBLIC_URL: 'http://localhost:3000' });
    expect(await open(testApp)).toBe(200);
    expect(await open(testApp, {}, '192.0.2.1')).toBe(404);
    expect(await open(testApp, { host: 'rebound.evil.example' })).toBe(404);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via']) {
      expect(await open(testApp, { [name]: '192.0.2.1' }), name).toBe(404);
    }
    await testApp.close();
  });
});

test('the documentation runs only its own scripts and stores no token', async () => {
  const page = await testApp.server.inject({ url: '/docs' });
  expect(page.statusCode).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self'(;|$| 'sha256-)/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
  // The policy must contain no host names, because pages may load nothing from other origins.
  expect(policy).not.toMatch(/https?:|\.\w+\b/);
  expect(page.headers['x-frame-options']).toBe('DENY');
  expect(page.body).not.toMatch(/src="https?:/);
  const settings = await testApp.server.inject({ url: '/docs/static/swagger-initializer.js' });
  expect(settings.body).toMatch(/"validatorUrl":\s*null/);
  expect(settings.body).toMatch(/"persistAuthorization":\s*false/);
});
