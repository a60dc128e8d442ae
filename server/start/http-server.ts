import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { App } from '#server/app.ts';
import { demoPlugin } from '#server/demo/plugin.ts';
import { accountDeletionPlugin } from '#server/features/account-deletion/plugin.ts';
import { accountsPlugin } from '#server/features/accounts/plugin.ts';
import { authenticate, findDeviceOwner, listEndedSessions } from '#server/features/accounts/public.ts';
import { blocksPlugin } from '#server/features/blocks/plugin.ts';
import { booksPlugin } from '#server/features/books/plugin.ts';
import { conversationsPlugin } from '#server/features/conversations/plugin.ts';
import { dataExportPlugin } from '#server/features/data-export/plugin.ts';
import { dealsPlugin } from '#server/features/deals/plugin.ts';
import { formsPlugin } from '#server/features/forms/plugin.ts';
import { handoversPlugin } from '#server/features/handovers/plugin.ts';
import { listingsPlugin } from '#server/features/listings/plugin.ts';
import { listSitemapListings } from '#server/features/listings/public.ts';
import { moderationPlugin } from '#server/features/moderation/plugin.ts';
import { notificationsPlugin } from '#server/features/notifications/plugin.ts';
import { photosPlugin } from '#server/features/photos/plugin.ts';
import { profilesPlugin } from '#server/features/profiles/plugin.ts';
import { pushPlugin } from '#server/features/push/plugin.ts';
import { retentionPlugin } from '#server/features/retention/plugin.ts';
import { reviewsPlugin } from '#server/features/reviews/plugin.ts';
import { salePricesPlugin } from '#server/features/sale-prices/plugin.ts';
import { savedListingsPlugin } from '#server/features/saved-listings/plugin.ts';
import { savedSearchesPlugin } from '#server/features/saved-searches/plugin.ts';
import { schedulePlugin } from '#server/features/schedule/plugin.ts';
import { textBackfillPlugin } from '#server/features/text-backfill/plugin.ts';
import { wantedPlugin } from '#server/features/wanted/plugin.ts';
import { trackResponses } from '#server/http/client-errors.ts';
import { collectDescribedRoutes, installDocumentation } from '#server/http/documentation.ts';
import { installErrorHandler, sendProblem, toProblem } from '#server/http/error-replies.ts';
import { installGracefulClose } from '#server/http/graceful-close.ts';
import { registerHealthRoutes } from '#server/http/health.ts';
import { buildHttpServerOptions } from '#server/http/http-server-options.ts';
import { installJsonBodyParser } from '#server/http/json-body.ts';
import { installLingeringClose } from '#server/http/lingering-close.ts';
import { installMetrics } from '#server/http/metrics.ts';
import { installNotFoundHandler } from '#server/http/not-found-handler.ts';
import { installRequestContext } from '#server/http/request-context.ts';
import { createRequestIdGenerator, installRequestIds } from '#server/http/request-ids.ts';
import { installRequestSpans } from '#server/http/request-spans.ts';
import { installSearchLimit } from '#server/http/search-limit.ts';
import { buildSecurityHeaders, installSecurityHeaders } from '#server/http/security-headers.ts';
import { installSecurityLog } from '#server/http/security-log.ts';
import { hasMultipleHostHeaders, installSingleHostCheck } from '#server/http/single-host.ts';
import { escapeStrayPercentSigns } from '#server/http/valid-escapes.ts';
import type { MailDelivery } from '#server/mail/delivery.ts';
import { mailPlugin } from '#server/mail/plugin.ts';
import type { PagesBuild } from '#server/pages/load-build.ts';
import { pagesPlugin } from '#server/pages/plugin.ts';
import { type Job, type JobCollector, type JobQueue, registerJobs } from '#server/platform/jobs.ts';
import { readDatabaseStatistics } from '#server/platform/postgres/database-state.ts';
import { createMetrics, type Metrics } from '#server/platform/process/metrics.ts';
import { isRealtimeUpgrade } from '#server/realtime/admission.ts';
import { type ConnectionLimits, createConnectionLimits } from '#server/realtime/connection-limits.ts';
import { realtimePlugin } from '#server/realtime/plugin.ts';
import { createRealtimeService } from '#server/realtime/realtime.ts';
import { mailContents } from './mail-contents.ts';
import { createPageReads } from './page-reads.ts';

/** What the HTTP server needs in addition to the App. */
export interface ServerOptions {
  jobs: JobQueue;
  /** Sends queued mail. It is omitted while mail is off. */
  delivery?: MailDelivery | undefined;
  /** The logger for Fastify. If it is undefined, nothing is logged. */
  logger?: FastifyBaseLogger | undefined;
  /** Metrics; created here when omitted. */
  metrics?: Metrics | undefined;
  /** WebSocket connection limits; when omitted, connections are counted in this process only. */
  connectionLimits?: ConnectionLimits | undefined;
  /** The built pages; when undefined, only the API is served. */
  pages?: PagesBuild | undefined;
}

/** Timeout for loading a plugin. It is long because the job queue starts slowly on a busy machine. */
const pluginTimeoutMs = 60_000;

/** Creates the Fastify server, which does not listen yet. */
const createServer = (
  { config }: App,
  { logger, pages }: Pick<ServerOptions, 'logger' | 'pages'>,
): FastifyInstance => {
  const { campus, publicUrl } = config;
  const httpServerOptions = buildHttpServerOptions(campus);
  return Fastify({
    ...httpServerOptions,
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIdGenerator(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    pluginTimeout: pluginTimeoutMs,
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: ({ url = '/' }) => escapeStrayPercentSigns(url),
    // During shutdown, serve a request on an open keep-alive connection normally and close the
    // connection afterwards, instead of responding with 503.
    return503OnClosing: false,
    http: {
      ...httpServerOptions.http,
      // Fastify handles an upgrade request that this callback declines as an ordinary request. A hook then
      // rejects that request.
      shouldUpgradeCallback: (request) =>
        (isRealtimeUpgrade(request) || pages?.devServer?.acceptsUpgrade(request) === true) &&
        !hasMultipleHostHeaders(request),
    },
    // Fastify's own errors, such as the one for a malformed URL, bypass the hooks that add the
    // security headers, so add them here.
    frameworkErrors: (error, _request, reply) =>
      sendProblem(reply.headers(buildSecurityHeaders(publicUrl)), toProblem(error), campus),
  });
};

/** The plugins of the features that need nothing but their common options. */
const featurePlugins = [
  accountsPlugin,
  photosPlugin,
  reviewsPlugin,
  profilesPlugin,
  blocksPlugin,
  listingsPlugin,
  savedListingsPlugin,
  savedSearchesPlugin,
  notificationsPlugin,
  pushPlugin,
  handoversPlugin,
  schedulePlugin,
  booksPlugin,
  moderationPlugin,
  formsPlugin,
  conversationsPlugin,
  wantedPlugin,
  dealsPlugin,
  salePricesPlugin,
  accountDeletionPlugin,
  dataExportPlugin,
  retentionPlugin,
  textBackfillPlugin,
  demoPlugin,
];

/**
 * Assembles the HTTP server: the middleware that every request goes through, and the features as plugins, which
 * register their routes, hooks and jobs. It has no side effects: `ready` or `listen` loads the plugins and starts the
 * jobs.
 */
export const buildServer = (app: App, options: ServerOptions): FastifyInstance => {
  const { config, sql, clock, files, images } = app;
  const { jobs, pages, metrics = createMetrics(), connectionLimits = createConnectionLimits() } = options;
  const { campus, publicUrl } = config;

  const server = createServer(app, options);
  server.decorateRequest('session', undefined);
  server.decorateRequest('sessionCheckedAt', 0);
  installRequestSpans(server);
  installSecurityHeaders(server, { publicUrl });
  installRequestIds(server);
  installMetrics(server, metrics, config);
  installSecurityLog(server);
  installErrorHandler(server, campus);
  installRequestContext(server);
  installGracefulClose(server);
  installLingeringClose(server);
  trackResponses(server.server);
  installSingleHostCheck(server);
  installJsonBodyParser(server);
  installSearchLimit(server, app, (hash) => findDeviceOwner(sql, hash));

  const describedRoutes = collectDescribedRoutes(server);
  const declaredJobs: Job[] = [];
  const addJobs: JobCollector = (...more) => void declaredJobs.push(...more);
  server.addHook('onReady', () => registerJobs(jobs, declaredJobs));
  for (const plugin of featurePlugins) server.register(plugin, { app, addJobs });
  const { delivery } = options;
  server.register(mailPlugin, { app, addJobs, delivery, contents: mailContents });
  const realtime = createRealtimeService(app, {
    authenticate: (token) => authenticate(app, token),
    listEndedSessions: (ids) => listEndedSessions(app, ids),
    connectionLimits,
  });
  server.register(realtimePlugin, { realtime });

  let cachedPages = () => 0;
  if (pages) {
    server.register(pagesPlugin, {
      app,
      build: pages,
      reads: createPageReads(app),
      listSitemapListings: (part, size) => listSitemapListings(app, part, size),
      metrics: {
        countPage: metrics.countPage,
        watchPages: (size) => {
          cachedPages = size;
        },
      },
    });
  } else installNotFoundHandler(server, campus);

  server.register(async (scope) =>
    installDocumentation(scope, campus, publicUrl, clock.now(), describedRoutes),
  );
  registerHealthRoutes(server, {
    database: () => sql`SELECT 1`,
    files: () => files.read('readiness'),
    jobs: jobs.check,
  });
  server.addHook('onReady', async () =>
    metrics.watch({
      sockets: realtime.size,
      images: images.load,
      cachedPages: () => cachedPages(),
      jobs: jobs.count,
      database: () => readDatabaseStatistics(sql),
    }),
  );
  return server;
};
