import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { PublicDataReader, SitemapListings } from '#contract/page-rendering.ts';
import { installNotFoundHandler } from '#server/http/not-found-handler.ts';
import { buildSecurityHeaders } from '#server/http/security-headers.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import { hashedAssetsPath, sendEarlierBuildFile, serveBuiltFiles } from './built-files.ts';
import type { PagesBuild } from './load-build.ts';
import { createPageCache } from './page-cache.ts';
import { negotiateEncoding, sendPage } from './page-response.ts';
import { registerPwaRoutes } from './pwa-routes.ts';
import { createRateLimitPageRenderer } from './rate-limit-page.ts';
import { createPageReads, createPageRenderer } from './render.ts';
import { registerSiteMapRoutes } from './site-map.ts';

interface PagesDeps {
  build: PagesBuild;
  reads: PublicDataReader;
  /**
   * The current announcement: `follow` keeps it up to date from the start, and `find` reads it before the
   * first page is served.
   */
  announcement: { follow(): () => void; find: PublicDataReader['findAnnouncement'] };
  /**
   * Lists the slugs and update times of the published listings in one part of the site map; a part has `size`
   * listings.
   */
  listSitemapListings(part: number, size: number): Promise<SitemapListings>;
  campus: Campus;
  publicUrl: string;
  /** Data folder of the server, which also contains the asset files of earlier builds. */
  dataDir: string;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  log: Log;
  /**
   * Whether browsers are given the service worker. If not, they get a script that removes an installed
   * service worker.
   */
  offline: boolean;
  /** Counts served pages (cached or rendered) and reports the number of cached pages. */
  metrics?: { countPage(cached: boolean): void; watchPages(size: () => number): void };
}

const maxLoggedPathLength = 500;

/**
 * Returns a path as it is logged: shortened, and without the query, the router's `.data` suffix,
 * and the token of a link to reset a password, unsubscribe or appeal.
 */
const toLoggedPath = (url: string): string =>
  url
    .replace(/\?.*$/s, '')
    .replace(/(?:\/_)?\.data$/s, '')
    .slice(0, maxLoggedPathLength)
    .replace(/^\/(reset-password|unsubscribe|appeal)\/.+/s, '/$1/...');

/**
 * Registers the public pages: the built files, the manifest and service worker, the site map, and a
 * rendered page for every other path that is not an API call.
 */
export const pagesPlugin = async (server: FastifyInstance, deps: PagesDeps): Promise<void> => {
  const {
    build,
    reads,
    announcement,
    listSitemapListings,
    campus,
    publicUrl,
    dataDir,
    bus,
    clock,
    log,
    metrics,
    offline,
  } = deps;
  if (build.clientFolder) await serveBuiltFiles(server, build.clientFolder);
  await build.devServer?.attach(server);
  registerPwaRoutes(server, { build, campus, publicUrl, offline });
  registerSiteMapRoutes(server, { listSitemapListings, publicUrl, clock });
  const renderDeps = {
    renderPage: build.renderPage,
    campus,
    publicUrl,
    clock,
    onError: (error: unknown, path: string) =>
      log.error({ err: error, path: toLoggedPath(path) }, 'page failed'),
  };
  const render = createPageRenderer({
    ...renderDeps,
    reads: createPageReads(reads, (error) => log.warn({ err: error }, 'page could not be served')),
  });
  const securityHeaders = buildSecurityHeaders(publicUrl);
  const renderRateLimitPage = createRateLimitPageRenderer({ ...renderDeps, securityHeaders });
  const stopFollowing = announcement.follow();
  server.addHook('onClose', async () => stopFollowing());
  server.addHook('onReady', async () => {
    // Ignore an unavailable database: the next page then reads the announcement again.
    await announcement.find().catch(() => undefined);
  });
  const { findCacheKey } = build;
  const cache = createPageCache({
    render,
    findCacheKey,
    bus,
    clock,
    campus,
    securityHeaders,
  });
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
  installNotFoundHandler(server, campus, servePage);
};
