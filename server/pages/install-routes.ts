import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { frameColors, offlinePaths, siteIcons } from '#contract/offline.ts';
import type { PagesBuild } from './load-build.ts';
import { hashInlineScripts } from './render.ts';
import { retiringWorker } from './retiring-worker.ts';

interface InstallDeps {
  build: Pick<PagesBuild, 'renderOfflinePage' | 'worker'>;
  campus: Campus;
  publicUrl: string;
  /** Whether browsers get the service worker; if not, an installed one is removed. */
  offline: boolean;
}

/** The service worker's policy: it may fetch from this origin only. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'";

const manifestOf = ({ name, shortName, siteName }: Campus) => ({
  id: '/',
  name: `${siteName} ${shortName}`,
  short_name: siteName,
  description: `Buy, sell and rent with other students at ${name}.`,
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: frameColors.brand,
  background_color: frameColors.paper,
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

/** Serves what makes the site installable and readable offline: the manifest, the service worker and its fallback page. */
export const installRoutes = (
  app: FastifyInstance,
  { build, campus, publicUrl, offline }: InstallDeps,
): void => {
  const manifest = JSON.stringify(manifestOf(campus));
  // Browsers update a service worker when its text changes, so the text also contains the campus configuration.
  const deployment = createHash('sha256').update(JSON.stringify({ campus, publicUrl })).digest('hex');
  const worker = offline ? `${build.worker}\n// ${deployment}\n` : retiringWorker;

  app.get(offlinePaths.worker, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('service-worker-allowed', '/')
      .header('content-security-policy', workerPolicy)
      .send(worker),
  );

  app.get(offlinePaths.manifest, async (_request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(manifest),
  );

  app.get(offlinePaths.page, async (_request, reply) => {
    const nonce = randomBytes(16).toString('hex');
    const page = hashInlineScripts(await build.renderOfflinePage(campus, nonce), nonce);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', page.policy)
      .send(page.html);
  });
};
