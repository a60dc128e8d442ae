import { resolve } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { accountDeletionPlugin } from './account-deletion/plugin.ts';
import { accountsPlugin } from './accounts/plugin.ts';
import { createConsoleRoleCheck } from './accounts/public.ts';
import { blocksPlugin } from './blocks/plugin.ts';
import { consolePlugin } from './console/plugin.ts';
import { conversationsPlugin } from './conversations/plugin.ts';
import { createUnreadMailSource } from './conversations/public.ts';
import { dataExportPlugin } from './data-export/plugin.ts';
import { dealsPlugin } from './deals/plugin.ts';
import { createDealNoticeSource } from './deals/public.ts';
import { formsPlugin } from './forms/plugin.ts';
import { handoversPlugin } from './handovers/plugin.ts';
import { trackResponses } from './http/client-errors.ts';
import { installDocumentation } from './http/documentation.ts';
import { installErrorHandler, sendProblem, toProblem } from './http/error-replies.ts';
import { installGracefulClose } from './http/graceful-close.ts';
import { registerHealthRoutes } from './http/health.ts';
import { buildHttpServerOptions } from './http/http-server-options.ts';
import { installJsonBodyParser } from './http/json-body.ts';
import { installLingeringClose } from './http/lingering-close.ts';
import { installMetrics } from './http/metrics.ts';
import { installNotFoundHandler } from './http/not-found-handler.ts';
import { installRequestContext } from './http/request-context.ts';
import { createRequestIdGenerator, installRequestIds } from './http/request-ids.ts';
import { installSearchLimit } from './http/search-limit.ts';
import { buildSecurityHeaders, installSecurityHeaders } from './http/security-headers.ts';
import { installSecurityLog } from './http/security-log.ts';
import type { HttpDeps } from './http/serve.ts';
import { hasMultipleHostHeaders, installSingleHostCheck } from './http/single-host.ts';
import { escapeStrayPercentSigns } from './http/valid-escapes.ts';
import { listingsPlugin } from './listings/plugin.ts';
import type { MailDelivery } from './mail/delivery.ts';
import { createMailPostponer } from './mail/outbox.ts';
import { mailPlugin } from './mail/plugin.ts';
import { moderationPlugin } from './moderation/plugin.ts';
import { notificationsPlugin } from './notifications/plugin.ts';
import { createNotificationMailSource } from './notifications/public.ts';
import type { PagesBuild } from './pages/load-build.ts';
import { pagesPlugin } from './pages/plugin.ts';
import { photosPlugin } from './photos/plugin.ts';
import { type Job, type JobCollector, registerJobs } from './platform/jobs.ts';
import { readDatabaseStatistics } from './platform/postgres/database-state.ts';
import { silentLog } from './platform/process/log.ts';
import { createMetrics, type Metrics } from './platform/process/metrics.ts';
import { profilesPlugin } from './profiles/plugin.ts';
import { pushPlugin } from './push/plugin.ts';
import { isRealtimeUpgrade } from './realtime/admission.ts';
import { type ConnectionLimits, createConnectionLimits } from './realtime/connection-limits.ts';
import { realtimePlugin } from './realtime/plugin.ts';
import { createRealtimeService } from './realtime/realtime.ts';
import { retentionPlugin } from './retention/plugin.ts';
import { reviewsPlugin } from './reviews/plugin.ts';
import { savedListingsPlugin } from './saved-listings/plugin.ts';
import { savedSearchesPlugin } from './saved-searches/plugin.ts';
import { createServices, type ServiceDeps } from './services.ts';
import { textBackfillPlugin } from './text-backfill/plugin.ts';

/** The application's dependencies; tests pass their own clock, mail and files. */
export interface AppDeps extends ServiceDeps {
  /** Sends queued mail. It is omitted while mail is off. */
  delivery?: MailDelivery | undefined;
  /** The logger for Fastify. If it is undefined, nothing is logged. */
  log: FastifyBaseLogger | undefined;
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
const createServer = ({ config, log, pages }: AppDeps): FastifyInstance => {
  const { campus, publicUrl } = config;
  const httpServerOptions = buildHttpServerOptions(campus);
  return Fastify({
    ...httpServerOptions,
    ...(log ? { loggerInstance: log } : { logger: false }),
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

/**
 * Assembles the application: the middleware that every request goes through, and the features as plugins, which
 * register their routes, hooks and jobs. It has no side effects: `ready` or `listen` loads the plugins and starts the
 * jobs.
 */
export const buildApp = (deps: AppDeps): FastifyInstance => {
  const { config, sql, clock, secrets, bus, jobs, files, images, rateLimits, pages } = deps;
  const { log = silentLog, metrics = createMetrics(), connectionLimits = createConnectionLimits() } = deps;
  const { campus, publicUrl } = config;
  const services = createServices(deps);
  const { accounts, listings, conversations } = services;
  const { authenticate } = accounts.sessions;
  const requireConsoleRole = createConsoleRoleCheck(sql);

  const app = createServer(deps);
  app.decorateRequest('session', undefined);
  app.decorateRequest('sessionCheckedAt', 0);
  installSecurityHeaders(app, { publicUrl });
  installRequestIds(app);
  installMetrics(app, metrics, config);
  installSecurityLog(app);
  installErrorHandler(app, campus);
  installRequestContext(app);
  installGracefulClose(app);
  installLingeringClose(app);
  trackResponses(app.server);
  installSingleHostCheck(app);
  installJsonBodyParser(app);
  const http: HttpDeps = { authenticate, requireConsoleRole, rateLimits, clock, campus, publicUrl };
  installSearchLimit(app, { ...http, findDeviceOwner: accounts.devices.findOwner });

  const declaredJobs: Job[] = [];
  const addJobs: JobCollector = (...more) => void declaredJobs.push(...more);
  app.addHook('onReady', () => registerJobs(jobs, declaredJobs));

  app.register(accountsPlugin, { http, addJobs, services: accounts, moderation: services.accountModeration });
  app.register(photosPlugin, { http, addJobs, photos: services.photos });
  const { campusAddresses } = services.accounts;
  app.register(reviewsPlugin, { http, addJobs, reviews: services.reviews });
  app.register(profilesPlugin, { http, profiles: services.profiles, campusAddresses });
  app.register(blocksPlugin, { http, blocks: services.blocks });
  app.register(listingsPlugin, { http, addJobs, listings });
  app.register(savedListingsPlugin, {
    http,
    addJobs,
    savedListings: services.savedListings,
    sendAlerts: services.sendSavedListingAlerts,
  });
  app.register(savedSearchesPlugin, {
    http,
    addJobs,
    savedSearches: services.savedSearches,
    matchListings: services.matchListings,
    removeStaleMatches: services.removeStaleMatches,
  });
  app.register(notificationsPlugin, {
    http,
    addJobs,
    notifications: services.notifications,
    settings: services.notificationSettings,
    storeEvent: services.storeNotifications,
    sendEmails: services.emailNotifications,
  });
  app.register(pushPlugin, {
    http,
    addJobs,
    subscriptions: services.pushSubscriptions,
    queueDuePushes: services.queueDuePushes,
    deliver: services.deliverPush,
    findUnread: services.findUnreadPushes,
    prepareKeys: services.preparePushKeys,
    stop: services.stopPushes,
  });
  app.register(handoversPlugin, { http, meetingSpots: services.meetingSpots });
  app.register(moderationPlugin, {
    http,
    addJobs,
    moderation: { ...services.console, ...services.moderation },
  });
  app.register(consolePlugin, { http, services: services.console });
  app.register(formsPlugin, { http, addJobs, forms: services.forms });
  app.register(conversationsPlugin, { http, addJobs, conversations, unreadMail: services.unreadMail });
  app.register(dealsPlugin, {
    http,
    addJobs,
    deals: services.deals,
    settling: services.dealSettling,
    applyDeadlines: services.applyDealDeadlines,
    drawGifts: services.drawGifts,
    sendNotices: services.sendDealNotices,
  });
  app.register(mailPlugin, {
    http,
    addJobs,
    delivery: deps.delivery,
    mailbox: config.mail.by === 'mailbox' ? sql : undefined,
    unreadMail: createUnreadMailSource({ sql, clock, campus }),
    dealNotices: createDealNoticeSource({ sql, clock, campus }),
    notifications: createNotificationMailSource({ sql, clock, campus }),
    postpone: createMailPostponer(deps.jobs, sql),
    stopEmails: services.notificationSettings.stopEmails,
    clock,
    pepper: secrets.pepper,
    campus,
    publicUrl,
  });
  app.register(accountDeletionPlugin, { http, accountDeletion: services.accountDeletion });
  app.register(dataExportPlugin, { http, dataExport: services.dataExport });
  app.register(retentionPlugin, { addJobs, retention: services.retention });
  app.register(textBackfillPlugin, { addJobs, textBackfill: services.textBackfill });
  const realtime = createRealtimeService({
    authenticate,
    listEndedSessions: accounts.sessions.listEnded,
    conversations,
    countUnreadNotifications: services.notifications.countUnread,
    connectionLimits,
    bus,
    clock,
    publicUrl,
    trustProxy: config.trustProxy,
    log,
  });
  app.register(realtimePlugin, { realtime });

  let cachedPages = () => 0;
  if (pages) {
    app.register(pagesPlugin, {
      build: pages,
      reads: services.reads,
      announcement: services.announcement,
      listSitemapListings: listings.listSitemapListings,
      campus,
      publicUrl,
      dataDir: resolve(config.dataDir),
      offline: config.offline,
      bus,
      clock,
      log,
      metrics: {
        countPage: metrics.countPage,
        watchPages: (size) => {
          cachedPages = size;
        },
      },
    });
  } else installNotFoundHandler(app, campus);

  app.register(async (scope) => installDocumentation(scope, campus, publicUrl, clock.now()));
  registerHealthRoutes(app, {
    database: () => sql`SELECT 1`,
    files: () => files.read('readiness'),
    jobs: jobs.check,
  });
  app.addHook('onReady', async () =>
    metrics.watch({
      sockets: realtime.size,
      images: images.load,
      cachedPages: () => cachedPages(),
      jobs: jobs.count,
      database: () => readDatabaseStatistics(sql),
    }),
  );
  return app;
};
