import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { PageRenderFunction, PublicDataReader } from '#contract/page-rendering.ts';
import { privateScreenPaths } from '#contract/private-screens.ts';
import type { App } from '#server/app.ts';
import { installErrorHandler } from '#server/http/error-replies.ts';
import { installSecurityHeaders } from '#server/http/security-headers.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createStubApp } from '#server/testing/stub-app.ts';
import { pagesPlugin } from './plugin.ts';
import { registerSiteMapRoutes } from './site-map.ts';

const helloScript = 'hello()';
const hashBase64 = (text: string) => createHash('sha256').update(text).digest('base64');

/** Stands in for the built pages, with one page for each possible outcome of a render. */
const renderPage: PageRenderFunction = async (request, { reads, nonce, onError }) => {
  const { pathname, host } = new URL(request.url);
  const html = (status: number, text: string) =>
    new Response(
      `<!DOCTYPE html><script nonce="${nonce}">${helloScript}</script><script>not ours</script>${text}`,
      {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      },
    );
  if (pathname.endsWith('.data')) {
    return new Response('[1]', { headers: { 'content-type': 'text/x-script', 'x-remix-response': 'yes' } });
  }
  if (pathname === '/broken' || pathname === '/reset-password/broken') {
    onError(new Error('the reason'));
    return html(500, 'sorry');
  }
  if (pathname === '/nothing') return html(404, 'Oops! Page not found');
  const rejection = await reads.getListing('desk').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (rejection instanceof Response) return html(rejection.status, 'later');
  return html(200, `on ${host} for ${[...request.headers.keys()].join()}`);
};

const logEntries: object[] = [];
const recordLogEntry = (details: object | string) => void logEntries.push(details as object);
const requestedSiteMapParts: number[] = [];
let loadListing: () => Promise<never>;

const reads: PublicDataReader = {
  findAnnouncement: async () => ({ current: null, changes_at: null }),
  listListings: async () => ({ items: [], total: 0, next_cursor: null }),
  listSimilarMatches: async () => [],
  listLatest: async () => [],
  getListing: () => loadListing(),
  listSimilar: async () => [],
  getCourse: () => loadListing(),
  getUser: () => loadListing(),
  listUserReviews: () => loadListing(),
};

const siteMapEntries = ['a&b', 'last'].map((slug) => ({ slug, updated_at: '2026-03-01T10:00:00.000Z' }));
const listSitemapListings = async (part: number, size: number) => {
  requestedSiteMapParts.push(part);
  const items = siteMapEntries.slice(part * size, (part + 1) * size);
  return { items, total: siteMapEntries.length, changed_at: '2026-03-01T10:00:00.000Z' };
};

const clock = createTestClock();
const server = Fastify();
let app: App;
let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-pages-'));
  dataDir = await mkdtemp(join(tmpdir(), 'quad-data-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'assets', 'root-abc.js'), 'go()');
  await writeFile(join(folder, 'assets', 'root-abc.js.br'), 'small');
  await writeFile(join(folder, 'notice.txt'), 'Licenses');
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
  const log = { info: recordLogEntry, warn: recordLogEntry, error: recordLogEntry };
  const announcementCache = { follow: () => () => {}, find: reads.findAnnouncement };
  const { config } = createStubApp();
  app = createStubApp({ config: { ...config, dataDir }, clock, log, announcementCache });
  installErrorHandler(server, defaultCampus);
  installSecurityHeaders(server, app.config);
  const build = {
    renderPage,
    renderOfflinePage: () => '',
    findCacheKey: () => undefined,
    clientFolder: folder,
    worker: '',
  };
  server.register(pagesPlugin, { app, build, reads, listSitemapListings });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
  await rm(dataDir, { recursive: true });
});

const fetchPath = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('a page', () => {
  beforeAll(() => {
    loadListing = async () => undefined as never;
  });

  test('promise 35: allows its own inline scripts by hash and no others', async () => {
    const response = await fetchPath('/');
    expect(response.statusCode).toBe(200);
    const policy = String(response.headers['content-security-policy']);
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src'));
    expect(scripts).toBe(`script-src 'self' 'sha256-${hashBase64(helloScript)}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(response.body).not.toContain('nonce');
  });

  test('promise 35: has the security headers of every page', async () => {
    const { headers } = await fetchPath('/');
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(headers['permissions-policy']).toContain('camera=(self)');
  });

  test('is the same for everyone, regardless of token, cookie, host and language', async () => {
    const personal = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      host: 'evil.example',
      'accept-language': 'de',
    };
    const [plain, other] = await Promise.all([fetchPath('/'), fetchPath('/', personal)]);
    expect(other.body).toBe(plain.body);
    expect(other.body).toContain('on quad.test for ');
    expect(other.headers).toEqual(plain.headers);
  });

  test('treats a path that starts with another host name as a path of this site', async () => {
    expect((await fetchPath('//evil.example/')).body).not.toContain('on evil.example');
  });

  test('returns the status and headers of GET without the body for HEAD', async () => {
    const response = await server.inject({ method: 'HEAD', url: '/' });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
    expect(response.headers['content-security-policy']).toContain('sha256-');
  });

  test('refuses other methods', async () => {
    const response = await server.inject({ method: 'POST', url: '/', payload: {} });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD');
  });

  test('sends the data of a page unchanged', async () => {
    const response = await fetchPath('/category/furniture.data');
    expect(response.headers).toMatchObject({ 'content-type': 'text/x-script', 'x-remix-response': 'yes' });
    expect(response.body).toBe('[1]');
  });
});

describe('errors', () => {
  test('returns a 404 page for an unknown path and logs it', async () => {
    const response = await fetchPath('/nothing?x=1');
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('Oops! Page not found');
    // The path is logged without the query, which may be a search.
    expect(logEntries.at(-1)).toEqual({ path: '/nothing' });
  });

  test('returns 404 with a JSON error for an unknown path below an API prefix', async () => {
    for (const path of ['/rest/v1/nothing', '/functions/v1', '/storage/v1/x?y', '/realtime/v1/z']) {
      const response = await fetchPath(path);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  test('returns 500 without the reason for a page that fails, and logs the reason', async () => {
    const response = await fetchPath('/broken');
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('the reason');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(logEntries.at(-1)).toMatchObject({ err: new Error('the reason'), path: '/broken' });
    await fetchPath('/reset-password/broken');
    expect(logEntries.at(-1)).toMatchObject({ path: '/reset-password/...' });
  });

  test('promise 38: returns 503 with Retry-After while the database is unreachable', async () => {
    loadListing = async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    const response = await fetchPath('/');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
  });
});

describe('files', () => {
  test('caches a built file forever, and one without a hash in its name for an hour', async () => {
    const script = await fetchPath('/assets/root-abc.js');
    expect(script.statusCode).toBe(200);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    expect((await fetchPath('/notice.txt')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('sends a built file as it was compressed at build time', async () => {
    const script = await fetchPath('/assets/root-abc.js', { 'accept-encoding': 'gzip, br' });
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(script.body).toBe('small');
    const plain = await fetchPath('/assets/root-abc.js', { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe('go()');
    expect((await fetchPath('/assets/root-abc.js.br')).statusCode).toBe(404);
  });

  test('returns 404 instead of a page for a script of an earlier build', async () => {
    const response = await fetchPath('/assets/root-old.js');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });

  test('does not serve internal files of the build', async () => {
    const response = await fetchPath('/.vite/manifest.json');
    expect(response.body).not.toBe('{}');
  });
});

describe('for search engines', () => {
  test('the site map lists home, categories and every listing, escaped', async () => {
    const response = await fetchPath('/sitemap.xml');
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    for (const path of ['/', '/browse', '/category/game-day'])
      expect(response.body).toContain(`<loc>https://quad.test${path}</loc>`);
    expect(response.body).toContain(
      '<loc>https://quad.test/listing/a%26b</loc><lastmod>2026-03-01</lastmod>',
    );
    expect(response.body).toContain('/listing/last<');
  });

  test('the site map is generated again after ten minutes, not for every request', async () => {
    await fetchPath('/sitemap.xml');
    const before = requestedSiteMapParts.length;
    await fetchPath('/sitemap.xml');
    expect(requestedSiteMapParts.length).toBe(before);
    clock.advance(601);
    await fetchPath('/sitemap.xml');
    expect(requestedSiteMapParts.length).toBe(before + 2);
  });

  test('the site map is split when one file would list too many URLs', async () => {
    const large = Fastify();
    installErrorHandler(large, defaultCampus);
    registerSiteMapRoutes(large, app, listSitemapListings, 1);
    const map = (path: string) => large.inject({ url: path });
    const index = (await map('/sitemap.xml')).body;
    const second =
      '<sitemap><loc>https://quad.test/sitemap-2.xml</loc><lastmod>2026-03-01</lastmod></sitemap>';
    expect(index).toContain(second);
    expect(index).not.toContain('sitemap-3.xml');
    expect((await map('/sitemap-1.xml')).body).toContain('https://quad.test/listing/a%26b<');
    expect((await map('/sitemap-2.xml')).body).toContain('https://quad.test/listing/last<');
    expect((await map('/sitemap-3.xml')).statusCode).toBe(404);
    expect((await map('/sitemap-0.xml')).statusCode).toBe(404);
    await large.close();
  });

  test('security.txt names the support address and expires within a year (RFC 9116)', async () => {
    const { body, headers } = await fetchPath('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^Contact: mailto:support@usc\.edu\n/);
    expect(body).toContain('Canonical: https://quad.test/.well-known/security.txt\n');
    const [, expires = ''] = /^Expires: (.+)$/m.exec(body) ?? [];
    const days = (Date.parse(expires) - clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(100);
    expect(days).toBeLessThan(365);
  });

  test('robots.txt excludes private screens and names the site map', async () => {
    const { body } = await fetchPath('/robots.txt');
    for (const path of privateScreenPaths) expect(body).toContain(`Disallow: ${path}\n`);
    expect(body).toContain('Sitemap: https://quad.test/sitemap.xml\n');
  });
});
