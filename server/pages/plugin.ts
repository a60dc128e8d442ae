import { resolve } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { installNotFoundHandler } from '#server/http/not-found-handler.ts';
import { hashedAssetsPath, sendEarlierBuildFile, serveBuiltFiles } from './built-files.ts';
import { registerIconRoutes } from './icon-routes.ts';
import type { PagesBuild } from './load-build.ts';
import { toLoggedPath } from './logged-path.ts';
import { createPageCache } from './page-cache.ts';
import { negotiateEncoding, sendPage } from './page-response.ts';
import { registerPwaRoutes } from './pwa-routes.ts';
import { createRateLimitPageRenderer } from './rate-limit-page.ts';
import { createPageRenderer, respondToFailedReads } from './render.ts';
import { registerSecurityTxtRoute } from './security-txt.ts';
import { registerSiteMapRoutes, type SitemapReader } from './site-map.ts';

interface PagesPluginOptions {
  app: App;
  build: PagesBuild;
  reads: PublicDataReader;
  listSitemapListings: SitemapReader;
  /** Counts served pages (cached or rendered) and reports the number of cached pages. */
  metrics?: { countPage(cached: boolean): void; watchPages(size: () => number): void };
}

/** Keeps the announcement up to date from the start, and reads it before the first page is served. */
const followAnnouncement = (server: FastifyInstance, { announcementCache }: App): void => {
  const stopFollowing = announcementCache.follow();
  server.addHook('onClose', async () => stopFollowing());
  server.addHook('onReady', async () => {
    // Ignore an unavailable database: the next page then reads the announcement again.
    await announcementCache.find().catch(() => undefined);
  });
};

/**
 * Registers the public pages: the built files, the icons, the manifest and service worker, the site map, and a
 * rendered page for every other path that is not an API call.
 */
export const pagesPlugin = async (
  server: FastifyInstance,
  { app, build, reads, listSitemapListings, metrics }: PagesPluginOptions,
): Promise<void> => {
  const { config, log } = app;
  const dataDir = resolve(config.dataDir);
  if (build.clientFolder) await serveBuiltFiles(server, build.clientFolder);
  await build.devServer?.attach(server);
  registerIconRoutes(server, config.campus);
  registerPwaRoutes(server, app, build);
  registerSiteMapRoutes(server, app, listSitemapListings);
  registerSecurityTxtRoute(server, app);
  followAnnouncement(server, app);
  const renderRateLimitPage = createRateLimitPageRenderer(app, build.renderPage);
  const render = createPageRenderer(app, build.renderPage, respondToFailedReads(app, reads));
  const cache = createPageCache(app, { render, findCacheKey: build.findCacheKey });
  metrics?.watchPages(cache.size);
  server.addHook('onClose', async () => cache.close());

  const servePage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method, url } = request;
    // A request target that is not a path, such as `*` or an absolute URL, has no page.
    if (!url.startsWith('/')) throw createProblem('not_found');
    if (method !== 'GET' && method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD');
      throw createProblem('method_not_allowed');
    }
    if (url.startsWith(hashedAssetsPath)) {
      const sent = build.clientFolder ? await sendEarlierBuildFile(reply, dataDir, url) : undefined;
      if (!sent) throw createProblem('not_found');
      return sent;
    }
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    if (request.refusedSearch) {
      const refusal = await renderRateLimitPage(url, request.refusedSearch, encoding);
      return sendPage(request, reply, refusal, encoding);
    }
    const cached = cache.find(url);
    metrics?.countPage(cached !== undefined);
    const page = cached ?? (await cache.load(url, encoding));
    if (page.status === 404) log.info({ path: toLoggedPath(url) }, 'missing path');
    return sendPage(request, reply, page, encoding);
  };
  installNotFoundHandler(server, config.campus, servePage);
};
