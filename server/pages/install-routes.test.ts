import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { installSecurityHeaders } from '#server/http/security-headers.ts';
import { installRoutes } from './install-routes.ts';
import { loadPagesBuild } from './load-build.ts';

const build = await loadPagesBuild();
const publicUrl = 'https://quad.test';

const ask = async (path: string, { campus = defaultCampus, offline = true } = {}) => {
  const app = Fastify();
  installSecurityHeaders(app, { publicUrl });
  installRoutes(app, { build, campus, publicUrl, offline });
  return app.inject({ url: path });
};

const elsewhere = { ...defaultCampus, name: 'Example College', shortName: 'EC', siteName: 'Yard' };

test('the manifest names this campus and its site', async () => {
  const reply = await ask('/manifest.webmanifest', { campus: elsewhere });
  expect(reply.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  expect(reply.json()).toMatchObject({
    name: 'Yard EC',
    short_name: 'Yard',
    description: expect.stringContaining('Example College'),
    start_url: '/',
    scope: '/',
    theme_color: '#990000',
    shortcuts: [{ url: '/post-ad' }, { url: '/messages' }],
  });
});

test('the service worker is asked for at every visit, is in charge of the whole site, and may only fetch from here', async () => {
  const { headers } = await ask('/sw.js');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'service-worker-allowed': '/',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  });
});

test('the service worker is another one when the campus is, and else the same', async () => {
  const first = (await ask('/sw.js')).body;
  expect((await ask('/sw.js')).body).toBe(first);
  expect((await ask('/sw.js', { campus: elsewhere })).body).not.toBe(first);
});

test('switched off, the service worker that browsers have is replaced by one that drops everything and itself', async () => {
  const { body, headers } = await ask('/sw.js', { offline: false });
  expect(body).toContain('caches.delete');
  expect(body).toContain('registration.unregister()');
  expect(body).not.toContain("'fetch'");
  expect(headers['cache-control']).toBe('no-cache');
});

test('promise 35: the page that stands in when there is no connection is whole, and allows only its own script', async () => {
  const { body, headers } = await ask('/offline', { campus: elsewhere });
  expect(body).toContain('<title>You are offline · Yard</title>');
  expect(body).not.toContain('nonce');
  expect(body).not.toContain(' src="/assets/');
  expect(body).toMatch(/<link rel="stylesheet" href="\/assets\/[\w.-]+\.css"/);
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^']+';/);
});
