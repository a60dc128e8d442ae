import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { saveListing } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let server: TestApp;
let ada: Person;
let slug: string;

beforeAll(async () => {
  server = await startTestApp({ deps: { pages: await loadPagesBuild() } });
  ada = await server.signIn({ fullName: 'Ada' });
  ({
    body: {
      listing: { slug },
    },
  } = await saveListing(server, ada));
});
afterAll(() => server.close());

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

describe('a kept page', () => {
  test('goes out compressed, and says that it depends on what the reader understands', async () => {
    const plain = await get('/');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const reply = await get('/', { 'accept-encoding': encoding });
      expect(reply.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(reply.rawPayload.length),
        vary: 'accept-encoding',
        etag: plain.headers.etag,
      });
      expect(decode(reply.rawPayload).toString()).toBe(plain.body);
      expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    }
  });

  test('is asked for anew by every browser, and at most once a second by a cache that many share', async () => {
    expect((await get('/')).headers['cache-control']).toBe('public, max-age=0, s-maxage=1');
    expect((await get(`/listing/${slug}.data`)).headers['cache-control']).toBe(
      'public, max-age=0, s-maxage=1',
    );
  });

  test('is not sent again to who has it: 304, with its own policy and without a body', async () => {
    const { headers } = await get('/category/kitchen');
    const etag = String(headers.etag);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, ' * ']) {
      const reply = await get('/category/kitchen', { 'if-none-match': known, 'accept-encoding': 'br' });
      expect(reply.statusCode, known).toBe(304);
      expect(reply.body).toBe('');
      expect(reply.headers).toMatchObject({
        etag,
        vary: 'accept-encoding',
        'cache-control': headers['cache-control'],
        'content-security-policy': headers['content-security-policy'],
      });
      for (const name of ['content-encoding', 'content-length', 'content-type'])
        expect(reply.headers[name]).toBeUndefined();
    }
    expect((await get('/category/kitchen', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    await saveListing(server, ada, { category: 'kitchen' });
    expect((await get('/category/kitchen', { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('answers HEAD with the headers of GET and no body, and other methods never', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const page = await get('/safety', accept);
    const head = await server.app.inject({ method: 'HEAD', url: '/safety', headers: accept });
    const { date: _, ...headers } = page.headers;
    expect(head.headers).toMatchObject(headers);
    expect(head.body).toBe('');
    expect((await server.app.inject({ method: 'POST', url: '/safety', payload: {} })).statusCode).toBe(405);
  });

  test('is one page under every address that shows the same, and another where it does not', async () => {
    const page = await get('/category/kitchen');
    const same = await get('/category/kitchen?utm_source=poster&sort=nonsense');
    expect(same.headers.etag).toBe(page.headers.etag);
    expect((await get('/category/kitchen?sort=price')).headers.etag).not.toBe(page.headers.etag);
    expect((await get('/category/kitchen.data')).headers['content-type']).toContain('text/x-script');
  });
});

describe('no private answer is ever kept', () => {
  const personal = () => ({
    ...ada.headers,
    cookie: `token=${ada.token}`,
    'x-forwarded-host': 'evil.example',
  });

  test('a page first asked for with a token and a cookie holds neither, nor anything of the asker', async () => {
    for (const path of [
      '/terms',
      '/category/free',
      '/search?q=personal',
      '/login',
      '/messages',
      '/profile',
    ]) {
      const theirs = await get(path, personal());
      const { body, headers } = await get(path);
      expect(theirs.body, path).toBe(body);
      for (const secret of [ada.token, ada.email, ada.userId, 'evil.example'])
        expect(body + JSON.stringify(headers), path).not.toContain(secret);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('screens of one person and pages with a secret in their address are made anew for everyone', async () => {
    for (const path of ['/messages', '/my-listings', '/profile', '/post-ad', '/reset-password/s3cr3t']) {
      const { statusCode, headers } = await get(path, personal());
      expect(statusCode, path).toBe(200);
      expect(headers['cache-control'], path).toBe('no-cache');
    }
  });

  test('answers of calls are not even stored by browsers', async () => {
    for (const path of [
      '/rest/v1/me',
      '/rest/v1/conversations',
      '/rest/v1/me/listings',
      '/rest/v1/listings',
    ]) {
      const mine = await get(path, personal());
      expect(mine.headers['cache-control'], path).toBe('no-store');
      expect(mine.headers.etag).toBeUndefined();
    }
    const strangers = await get('/rest/v1/me');
    expect(strangers.statusCode).toBe(401);
  });

  test('a draft is never on a page, whoever looks', async () => {
    const { body } = await saveListing(server, ada, { status: 'draft', title: 'Secret plans of a desk' });
    for (const path of [`/listing/${body.listing.slug}`, '/', '/search?q=secret']) {
      expect((await get(path, personal())).body).not.toContain('Secret plans');
      expect((await get(path)).body).not.toContain('Secret plans');
    }
  });
});
