import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { PublicReads, RenderPage } from '#contract/reads.ts';
import { installNotFound } from '#server/http/api-root.ts';
import { installErrorReplies } from '#server/http/error-replies.ts';
import { installSecurityHeaders } from '#server/http/security-headers.ts';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { installPages } from './pages.ts';
import { siteMapRoutes } from './site-map.ts';

const hello = 'hello()';
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** Stands in for the built pages: one page for each way a rendering can go. */
const renderPage: RenderPage = async (request, { reads, nonce, onError }) => {
  const { pathname, host } = new URL(request.url);
  const html = (status: number, text: string) =>
    new Response(
      `<!DOCTYPE html><script nonce="${nonce}">${hello}</script><script>not ours</script>${text}`,
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
  const thrown = await reads.getListing('desk').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (thrown instanceof Response) return html(thrown.status, 'later');
  return html(200, `on ${host} for ${[...request.headers.keys()].join()}`);
};

const logged: object[] = [];
const note = (details: object | string) => void logged.push(details as object);
const asked: number[] = [];
let listing: () => Promise<never>;

const reads: PublicReads = {
  listListings: async () => ({ items: [], total: 0, next_cursor: null }),
  listLatest: async () => [],
  getListing: () => listing(),
  listSimilar: async () => [],
};

const addresses = ['a&b', 'last'].map((slug) => ({ slug, updated_at: '2026-03-01T10:00:00.000Z' }));
const listAddresses = async (part: number, size: number) => {
  asked.push(part);
  const items = addresses.slice(part * size, (part + 1) * size);
  return { items, total: addresses.length, changed_at: '2026-03-01T10:00:00.000Z' };
};

const clock = createTestClock();
const app = Fastify();
let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-pages-'));
  dataDir = await mkdtemp(join(tmpdir(), 'quad-data-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'assets', 'root-abc.js'), 'go()');
  await writeFile(join(folder, 'assets', 'root-abc.js.br'), 'small');
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
  const publicUrl = 'https://quad.test';
  installErrorReplies(app, defaultCampus);
  installSecurityHeaders(app, { publicUrl });
  const build = {
    renderPage,
    renderOfflinePage: () => '',
    findCacheKey: () => undefined,
    clientFolder: folder,
    worker: '',
  };
  const bus = createProcessBus();
  const log = { info: note, warn: note, error: note };
  installNotFound(
    app,
    defaultCampus,
    await installPages(app, {
      build,
      reads,
      listAddresses,
      campus: defaultCampus,
      publicUrl,
      dataDir,
      bus,
      clock,
      log,
    }),
  );
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
  await rm(dataDir, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('a page', () => {
  beforeAll(() => {
    listing = async () => undefined as never;
  });

  test('promise 35: allows the scripts it was made with, by hash, and no other inline script', async () => {
    const reply = await get('/');
    expect(reply.statusCode).toBe(200);
    const policy = String(reply.headers['content-security-policy']);
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src'));
    expect(scripts).toBe(`script-src 'self' 'sha256-${hashOf(hello)}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(reply.body).not.toContain('nonce');
  });

  test('promise 35: carries the headers that every page carries', async () => {
    const { headers } = await get('/');
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  });

  test('is the same for everyone: who asks, by which name and with which token, is not looked at', async () => {
    const personal = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      host: 'evil.example',
      'accept-language': 'de',
    };
    const [plain, other] = await Promise.all([get('/'), get('/', personal)]);
    expect(other.body).toBe(plain.body);
    expect(other.body).toContain('on quad.test for ');
    expect(other.headers).toEqual(plain.headers);
  });

  test('a path that names another host is still a path of this one', async () => {
    expect((await get('//evil.example/')).body).not.toContain('on evil.example');
  });

  test('HEAD answers as GET does, without the body', async () => {
    const reply = await app.inject({ method: 'HEAD', url: '/' });
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('');
    expect(reply.headers['content-security-policy']).toContain('sha256-');
  });

  test('other methods are refused', async () => {
    const reply = await app.inject({ method: 'POST', url: '/', payload: {} });
    expect(reply.statusCode).toBe(405);
    expect(reply.headers.allow).toBe('GET, HEAD');
  });

  test('the data of a page passes through as it is', async () => {
    const reply = await get('/category/furniture.data');
    expect(reply.headers).toMatchObject({ 'content-type': 'text/x-script', 'x-remix-response': 'yes' });
    expect(reply.body).toBe('[1]');
  });
});

describe('when there is nothing to show', () => {
  test('an unknown path is answered 404 with a page, and logged', async () => {
    const reply = await get('/nothing?x=1');
    expect(reply.statusCode).toBe(404);
    expect(reply.body).toContain('Oops! Page not found');
    // What is asked for there may be a search.
    expect(logged.at(-1)).toEqual({ path: '/nothing' });
  });

  test('an unknown path below an API prefix is answered 404 in the error form', async () => {
    for (const path of ['/rest/v1/nothing', '/functions/v1', '/storage/v1/x?y', '/realtime/v1/z']) {
      const reply = await get(path);
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ code: 'not_found' });
    }
  });

  test('a page that fails is answered 500 without the reason, which is logged', async () => {
    const reply = await get('/broken');
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('the reason');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(logged.at(-1)).toMatchObject({ err: new Error('the reason'), path: '/broken' });
    await get('/reset-password/broken');
    expect(logged.at(-1)).toMatchObject({ path: '/reset-password/...' });
  });

  test('promise 38: with the database out of reach a page is answered 503, to be tried again', async () => {
    listing = async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    const reply = await get('/');
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
  });
});

describe('files', () => {
  test('a built file is kept forever, an icon for an hour', async () => {
    const script = await get('/assets/root-abc.js');
    expect(script.statusCode).toBe(200);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['x-content-type-options']).toBe('nosniff');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('a built file goes out in the form that was made of it beforehand', async () => {
    const script = await get('/assets/root-abc.js', { 'accept-encoding': 'gzip, br' });
    expect(script.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(script.body).toBe('small');
    const plain = await get('/assets/root-abc.js', { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe('go()');
    expect((await get('/assets/root-abc.js.br')).statusCode).toBe(404);
  });

  test('a script of an earlier build is not answered with a page', async () => {
    const reply = await get('/assets/root-old.js');
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'not_found' });
  });

  test('what the build keeps for itself is not served', async () => {
    const reply = await get('/.vite/manifest.json');
    expect(reply.body).not.toBe('{}');
  });
});

describe('for search engines', () => {
  test('the site map names home, categories and every listing, escaped', async () => {
    const reply = await get('/sitemap.xml');
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(reply.body).toContain('<loc>https://quad.test/category/game-day</loc>');
    expect(reply.body).toContain('<loc>https://quad.test/listing/a%26b</loc><lastmod>2026-03-01</lastmod>');
    expect(reply.body).toContain('/listing/last<');
  });

  test('the site map is made anew after ten minutes, not for every asker', async () => {
    const before = asked.length;
    await get('/sitemap.xml');
    expect(asked.length).toBe(before);
    clock.advance(601);
    await get('/sitemap.xml');
    expect(asked.length).toBe(before + 2);
  });

  test('the site map is split where one file would name too much', async () => {
    const large = Fastify();
    installErrorReplies(large, defaultCampus);
    siteMapRoutes(large, { listAddresses, publicUrl: 'https://quad.test', clock }, 1);
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

  test('robots.txt keeps robots from private screens and names the site map', async () => {
    const { body } = await get('/robots.txt');
    expect(body).toContain('Disallow: /messages\n');
    expect(body).toContain('Sitemap: https://quad.test/sitemap.xml\n');
  });
});
