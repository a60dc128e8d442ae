import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { loadPagesBuild } from './load-build.ts';

let testApp: TestApp;
let ada: Person;
let listingSlug: string;

beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
  ada = await testApp.signIn({ fullName: 'Ada' });
  ({
    body: {
      listing: { slug: listingSlug },
    },
  } = await submitListingForm(testApp, ada));
});
afterAll(() => testApp.close());

const fetchPage = (url: string, headers: Record<string, string> = {}) =>
  testApp.server.inject({ url, headers });

describe('a cached page', () => {
  test('is sent compressed with Vary: Accept-Encoding', async () => {
    const plain = await fetchPage('/');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const response = await fetchPage('/', { 'accept-encoding': encoding });
      expect(response.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(response.rawPayload.length),
        vary: 'accept-encoding',
        etag: plain.headers.etag,
      });
      expect(decode(response.rawPayload).toString()).toBe(plain.body);
      expect(response.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    }
  });

  test('is revalidated by browsers every time and by shared caches at most once a second', async () => {
    expect((await fetchPage('/')).headers['cache-control']).toBe('public, max-age=0, s-maxage=1');
    expect((await fetchPage(`/listing/${listingSlug}.data`)).headers['cache-control']).toBe(
      'public, max-age=0, s-maxage=1',
    );
  });

  test('returns 304 with its security policy and without a body for a known ETag', async () => {
    const { headers } = await fetchPage('/category/kitchen');
    const etag = String(headers.etag);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, ' * ']) {
      const response = await fetchPage('/category/kitchen', {
        'if-none-match': known,
        'accept-encoding': 'br',
      });
      expect(response.statusCode, known).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers).toMatchObject({
        etag,
        vary: 'accept-encoding',
        'cache-control': headers['cache-control'],
        'content-security-policy': headers['content-security-policy'],
      });
      for (const name of ['content-encoding', 'content-length', 'content-type'])
        expect(response.headers[name]).toBeUndefined();
    }
    expect((await fetchPage('/category/kitchen', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    await submitListingForm(testApp, ada, { category: 'kitchen' });
    expect((await fetchPage('/category/kitchen', { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('returns the headers of GET without a body for HEAD, and 405 for other methods', async () => {
    const accept = { 'accept-encoding': 'gzip' };
    const page = await fetchPage('/safety', accept);
    const head = await testApp.server.inject({ method: 'HEAD', url: '/safety', headers: accept });
    const { date: _, ...headers } = page.headers;
    expect(head.headers).toMatchObject(headers);
    expect(head.body).toBe('');
    expect((await testApp.server.inject({ method: 'POST', url: '/safety', payload: {} })).statusCode).toBe(
      405,
    );
  });

  test('is the same for URLs with the same content and different for others', async () => {
    const page = await fetchPage('/category/kitchen');
    const same = await fetchPage('/category/kitchen?utm_source=poster&sort=nonsense');
    expect(same.headers.etag).toBe(page.headers.etag);
    expect((await fetchPage('/category/kitchen?sort=price')).headers.etag).not.toBe(page.headers.etag);
    expect((await fetchPage('/category/kitchen.data')).headers['content-type']).toContain('text/x-script');
  });
});

describe('private responses are never cached', () => {
  const personal = () => ({
    ...ada.headers,
    cookie: `token=${ada.token}`,
    'x-forwarded-host': 'evil.example',
  });

  test('a page first requested with a token and a cookie contains neither, nor anything about the person', async () => {
    for (const path of [
      '/terms',
      '/category/free',
      '/search?q=personal',
      '/login',
      '/messages',
      '/profile',
    ]) {
      const personalized = await fetchPage(path, personal());
      const { body, headers } = await fetchPage(path);
      expect(personalized.body, path).toBe(body);
      for (const secret of [ada.token, ada.email, ada.userId, 'evil.example'])
        expect(body + JSON.stringify(headers), path).not.toContain(secret);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  test('private screens and pages with a secret in their URL are rendered for every request', async () => {
    for (const path of [...privateScreenPaths, '/reset-password/s3cr3t']) {
      const { statusCode, headers } = await fetchPage(path, personal());
      expect(statusCode, path).toBe(200);
      expect(headers['cache-control'], path).toBe('no-cache');
    }
  });

  test('API responses are not stored by browsers', async () => {
    for (const path of [
      '/rest/v1/me',
      '/rest/v1/conversations',
      '/rest/v1/me/listings',
      '/rest/v1/listings',
    ]) {
      const response = await fetchPage(path, personal());
      expect(response.headers['cache-control'], path).toBe('no-store');
      expect(response.headers.etag).toBeUndefined();
    }
    const anonymous = await fetchPage('/rest/v1/me');
    expect(anonymous.statusCode).toBe(401);
  });

  test('a draft appears on no page, not even for its owner', async () => {
    const { body } = await submitListingForm(testApp, ada, {
      status: 'draft',
      title: 'Secret plans of a desk',
    });
    for (const path of [`/listing/${body.listing.slug}`, '/', '/search?q=secret']) {
      expect((await fetchPage(path, personal())).body).not.toContain('Secret plans');
      expect((await fetchPage(path)).body).not.toContain('Secret plans');
    }
  });
});
