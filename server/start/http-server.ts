import { resolve } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { accountDeletionPlugin } from '#server/features/account-deletion/plugin.ts';
import { accountsPlugin } from '#server/features/accounts/plugin.ts';
import { createConsoleRoleCheck } from '#server/features/accounts/public.ts';
import { blocksPlugin } from '#server/features/blocks/plugin.ts';
import { consolePlugin } from '#server/features/console/plugin.ts';
import { conversationsPlugin } from '#server/features/conversations/plugin.ts';
import { createUnreadMailSource } from '#server/features/conversations/public.ts';
import { dataExportPlugin } from '#server/features/data-export/plugin.ts';
import { dealsPlugin } from '#server/features/deals/plugin.ts';
import { createDealNoticeSource } from '#server/features/deals/public.ts';
import { formsPlugin } from '#server/features/forms/plugin.ts';
import { handoversPlugin } from '#server/features/handovers/plugin.ts';
import { listingsPlugin } from '#server/features/listings/plugin.ts';
import { moderationPlugin } from '#server/features/moderation/plugin.ts';
import { notificationsPlugin } from '#server/features/notifications/plugin.ts';
import { createNotificationMailSource } from '#server/features/notifications/public.ts';
import { photosPlugin } from '#server/features/photos/plugin.ts';
import { profilesPlugin } from '#server/features/profiles/plugin.ts';
import { pushPlugin } from '#server/features/push/plugin.ts';
import { retentionPlugin } from '#server/features/retention/plugin.ts';
import { reviewsPlugin } from '#server/features/reviews/plugin.ts';
import { savedListingsPlugin } from '#server/features/saved-listings/plugin.ts';
import { savedSearchesPlugin } from '#server/features/saved-searches/plugin.ts';
import { textBackfillPlugin } from '#server/features/text-backfill/plugin.ts';
import { trackResponses } from '#server/http/client-errors.ts';
import { installDocumentation } from '#server/http/documentation.ts';
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
import { installSearchLimit } from '#server/http/search-limit.ts';
import { buildSecurityHeaders, installSecurityHeaders } from '#server/http/security-headers.ts';
import { installSecurityLog } from '#server/http/security-log.ts';
import type { HttpDeps } from '#server/http/serve.ts';
import { hasMultipleHostHeaders, installSingleHostCheck } from '#server/http/single-host.ts';
import { escapeStrayPercentSigns } from '#server/http/valid-escapes.ts';
import type { MailDelivery } from '#server/mail/delivery.ts';
import { createMailPostponer } from '#server/mail/outbox.ts';
import { mailPlugin } from '#server/mail/plugin.ts';
import type { PagesBuild } from '#server/pages/load-build.ts';
import { pagesPlugin } from '#server/pages/plugin.ts';
import { type Job, type JobCollector, registerJobs } from '#server/platform/jobs.ts';
import { readDatabaseStatistics } from '#server/platform/postgres/database-state.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createMetrics, type Metrics } from '#server/platform/process/metrics.ts';
import { isRealtimeUpgrade } from '#server/realtime/admission.ts';
import { type ConnectionLimits, createConnectionLimits } from '#server/realtime/connection-limits.ts';
import { realtimePlugin } from '#server/realtime/plugin.ts';
import { createRealtimeService } from '#server/realtime/realtime.ts';
import { createServices, type ServiceDeps } from './services.ts';

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
