import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import type { ListingAddresses, PublicReads } from '#contract/reads.ts';
import { installNotFound } from '#server/http/api-root.ts';
import { securityHeaders } from '#server/http/security-headers.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import { hashedPath, sendEarlierFile, serveBuiltFiles } from './built-files.ts';
import { installRoutes } from './install-routes.ts';
import type { PagesBuild } from './load-build.ts';
import { acceptedEncoding, sendPage } from './page.ts';
import { createPageCache } from './page-cache.ts';
import { createRefusals } from './refusals.ts';
import { createPageReads, createRender } from './render.ts';
import { siteMapRoutes } from './site-map.ts';

interface PagesDeps {
  build: PagesBuild;
  reads: PublicReads;
  /** Lists the URLs of all published listings, page by page. */
  listAddresses(part: number, size: number): Promise<ListingAddresses>;
  campus: Campus;
  publicUrl: string;
  /** Holds the files of earlier builds. */
  dataDir: string;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  log: Log;
  /** Whether browsers get the service worker. */
  offline: boolean;
  /** Counts served pages, cached or rendered, and the size of the cache. */
  metrics?: { countPage(cached: boolean): void; watchPages(size: () => number): void };
}

const longestLoggedPath = 500;

/**
 * Returns a missing path for the log: the same for a document and for the router's data request, and without the token
 * of a link.
 */
const loggedPath = (url: string): string =>
  url
    .replace(/\?.*$/s, '')
    .replace(/(?:\/_)?\.data$/s, '')
    .slice(0, longestLoggedPath)
    .replace(/^\/(reset-password|unsubscribe)\/.+/s, '/$1/...');

/**
 * Public pages: serves the built files, what makes the site installable, the site map, and a page for every other path
 * that is not a call.
 */
export const pagesPlugin = async (app: FastifyInstance, deps: PagesDeps): Promise<void> => {
  const { build, reads, listAddresses, campus, publicUrl, dataDir, bus, clock, log, metrics, offline } = deps;
  if (build.clientFolder) await serveBuiltFiles(app, build.clientFolder);
  await build.devServer?.attach(app);
  installRoutes(app, { build, campus, publicUrl, offline });
  siteMapRoutes(app, { listAddresses, publicUrl, clock });
  const renderDeps = {
    renderPage: build.renderPage,
    campus,
    publicUrl,
    clock,
    onError: (error: unknown, path: string) =>
      log.error({ err: error, path: loggedPath(path) }, 'page failed'),
  };
  const render = createRender({
    ...renderDeps,
    reads: createPageReads(reads, (error) => log.warn({ err: error }, 'page could not be served')),
  });
  const protection = securityHeaders(publicUrl);
  const refuse = createRefusals({ ...renderDeps, protection });
  const { findCacheKey } = build;
  const cache = createPageCache({
    render,
    findCacheKey,
    bus,
    clock,
    campus,
    protection,
  });
  metrics?.watchPages(cache.size);
  app.addHook('onClose', async () => cache.close());

  const servePage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { method, url } = request;
    // No page stands in for a script.
    if (!url.startsWith('/')) throw problem('not_found');
    if (method !== 'GET' && method !== 'HEAD') {
      reply.header('allow', 'GET, HEAD');
      throw problem('method_not_allowed');
    }
    if (url.startsWith(hashedPath)) {
      const sent = build.clientFolder ? await sendEarlierFile(reply, dataDir, url) : undefined;
      if (!sent) throw problem('not_found');
      return sent;
    }
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (request.refusedSearch) {
      return sendPage(request, reply, await refuse(url, request.refusedSearch, encoding), encoding);
    }
    const cached = cache.find(url);
    metrics?.countPage(cached !== undefined);
    const page = cached ?? (await cache.load(url, encoding));
    if (page.status === 404) log.info({ path: loggedPath(url) }, 'missing path');
    return sendPage(request, reply, page, encoding);
  };
  installNotFound(app, campus, servePage);
};
