import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { installSecurityHeaders } from '#server/http/security-headers.ts';
import { createStubApp } from '#server/testing/stub-app.ts';
import { loadPagesBuild } from './load-build.ts';
import { registerPwaRoutes } from './pwa-routes.ts';

const pagesBuild = await loadPagesBuild();
const publicUrl = 'https://quad.test';

const fetchPath = async (path: string, { campus = defaultCampus, offline = true } = {}) => {
  const app = Fastify();
  installSecurityHeaders(app, { publicUrl });
  const { config } = createStubApp();
  registerPwaRoutes(app, createStubApp({ config: { ...config, campus, publicUrl, offline } }), pagesBuild);
  return app.inject({ url: path });
};

const otherCampus = { ...defaultCampus, name: 'Example College', shortName: 'EC', siteName: 'Yard' };

test('the manifest contains the names of the campus and the site', async () => {
  const response = await fetchPath('/manifest.webmanifest', { campus: otherCampus });
  expect(response.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  expect(response.json()).toMatchObject({
    name: 'Yard EC',
    short_name: 'Yard',
    description: expect.stringContaining('Example College'),
    start_url: '/',
    scope: '/',
    theme_color: '#990000',
    shortcuts: [{ url: '/post-ad' }, { url: '/messages' }],
  });
});

test('manifest and offline page have the colors of the campus', async () => {
  const colors = { brand: '#00457c', frame: { light: '#00457c', dark: '#001c32' } };
  const campus = { ...defaultCampus, colors };
  expect((await fetchPath('/manifest.webmanifest', { campus })).json()).toMatchObject({
    theme_color: '#00457c',
  });
  const { body } = await fetchPath('/offline', { campus });
  expect(body).toContain('<style>:root{--color-brand:light-dark(#00457c,');
  expect(body).toContain('<meta name="theme-color" content="#00457c"/>');
  expect((await fetchPath('/offline')).body).not.toContain('<style>:root{--color-brand');
});

test('the service worker is revalidated on every visit, controls the whole site and may only fetch from it', async () => {
  const { headers } = await fetchPath('/sw.js');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'service-worker-allowed': '/',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'",
  });
});

test('the service worker changes with the campus and is otherwise the same', async () => {
  const first = (await fetchPath('/sw.js')).body;
  expect((await fetchPath('/sw.js')).body).toBe(first);
  expect((await fetchPath('/sw.js', { campus: otherCampus })).body).not.toBe(first);
});

test('with offline support off, the service worker deletes all caches and unregisters itself', async () => {
  const { body, headers } = await fetchPath('/sw.js', { offline: false });
  expect(body).toContain('caches.delete');
  expect(body).toContain('registration.unregister()');
  expect(body).not.toContain("'fetch'");
  expect(headers['cache-control']).toBe('no-cache');
});

test('promise 35: the offline page is self-contained and allows only its own script', async () => {
  const { body, headers } = await fetchPath('/offline', { campus: otherCampus });
  expect(body).toContain('<title>You are offline · Yard</title>');
  expect(body).not.toContain('nonce');
  expect(body).not.toContain(' src="/assets/');
  expect(/<style>.*\.min-h-dvh\{.*<\/style>/s.test(body)).toBe(true);
  expect(body.includes('stylesheet')).toBe(false);
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^']+';/);
});
