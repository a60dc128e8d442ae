import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { offlinePaths, siteIcons, themeColors } from '#contract/pwa.ts';
import type { App } from '#server/app.ts';
import type { PagesBuild } from './load-build.ts';
import { hashInlineScripts } from './render.ts';
import { serviceWorkerRemovalScript } from './service-worker-removal.ts';

/**
 * Content-Security-Policy of the service worker: it may fetch data and notification icons only from this
 * origin.
 */
const serviceWorkerCsp = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'";

const createWebManifest = ({ name, shortName, siteName, colors }: Campus) => ({
  id: '/',
  name: `${siteName} ${shortName}`,
  short_name: siteName,
  description: `Buy, sell and rent with other students at ${name}.`,
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: colors?.frame.light ?? themeColors.brand,
  background_color: themeColors.paper,
  categories: ['shopping', 'education'],
  icons: siteIcons.map(({ path, size, purpose }) => ({
    src: path,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
  shortcuts: [
    { name: 'Post Item', url: '/post-ad' },
    { name: 'Messages', url: '/messages' },
  ].map((shortcut) => ({
    ...shortcut,
    icons: [
      { src: siteIcons[0].path, sizes: `${siteIcons[0].size}x${siteIcons[0].size}`, type: 'image/png' },
    ],
  })),
});

/**
 * Registers the routes of the files that make the site installable and readable offline: the
 * manifest, the service worker and its fallback page.
 */
export const registerPwaRoutes = (
  server: FastifyInstance,
  { config: { campus, publicUrl, offline } }: App,
  build: Pick<PagesBuild, 'renderOfflinePage' | 'worker'>,
): void => {
  const manifest = JSON.stringify(createWebManifest(campus));
  // Browsers update a service worker only when its text changes. A hash of the campus configuration
  // and the public URL in this text therefore makes them update it when these settings change.
  const deployment = createHash('sha256').update(JSON.stringify({ campus, publicUrl })).digest('hex');
  const worker = offline ? `${build.worker}\n// ${deployment}\n` : serviceWorkerRemovalScript;

  server.get(offlinePaths.worker, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('service-worker-allowed', '/')
      .header('content-security-policy', serviceWorkerCsp)
      .send(worker),
  );

  server.get(offlinePaths.manifest, async (_request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(manifest),
  );

  server.get(offlinePaths.page, async (_request, reply) => {
    const nonce = randomBytes(16).toString('hex');
    const page = hashInlineScripts(await build.renderOfflinePage(campus, nonce), nonce);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', page.policy)
      .send(page.html);
  });
};
