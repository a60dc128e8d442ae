import { join, resolve } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { PublicReads } from '#contract/reads.ts';
import { accountDeletionRoutes } from '#server/account-deletion/routes.ts';
import { createAccountDeletion } from '#server/account-deletion/service.ts';
import { createUnreadMail } from '#server/conversations/unread-mail-service.ts';
import { createDataExport } from '#server/data-export/service.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Files } from '#server/platform/files/files.ts';
import type { Images } from '#server/platform/images/images.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { readDatabaseState } from '#server/platform/postgres/database-state.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createMetrics, type Metrics } from '#server/platform/process/metrics.ts';
import { type ConnectionLimits, createConnectionLimits } from '#server/realtime/connection-limits.ts';
import { createAccountServices } from './accounts/assemble.ts';
import { createAudit } from './audit/service.ts';
import type { Config } from './config.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { createConversations } from './conversations/service.ts';
import { formRoutes } from './forms/routes.ts';
import { createForms } from './forms/service.ts';
import { installNotFound } from './http/api-root.ts';
import { installClosing } from './http/closing.ts';
import { installDocumentation } from './http/documentation.ts';
import { installErrorReplies, replyProblem, toProblem } from './http/error-replies.ts';
import { healthRoutes } from './http/health.ts';
import { installJsonBody } from './http/json-body.ts';
import { installMetrics } from './http/metrics.ts';
import { forgetCounts, type RateLimits } from './http/rate-limits.ts';
import { installRequestContext } from './http/request-context.ts';
import { createRequestIds, installRequestIds } from './http/request-ids.ts';
import { installSearchLimit } from './http/search-limit.ts';
import { installSecurityHeaders, securityHeaders } from './http/security-headers.ts';
import { installSecurityLog } from './http/security-log.ts';
import type { HttpDeps } from './http/serve.ts';
import { hasSeveralHosts, installSingleHost } from './http/single-host.ts';
import { withValidEscapes } from './http/valid-escapes.ts';
import { wireOptions } from './http/wire.ts';
import { listingRoutes } from './listings/routes.ts';
import { createListings } from './listings/service.ts';
import { createTotals } from './listings/totals.ts';
import { mailboxPage } from './mail/mailbox-page.ts';
import type { Mailer } from './mail/mailer.ts';
import { unsubscribeRoutes } from './mail/unsubscribe-routes.ts';
import { installRoutes } from './pages/install-routes.ts';
import type { PagesBuild } from './pages/load-build.ts';
import { installPages } from './pages/pages.ts';
import { createFileRemoval, startFileRemoval } from './photos/removal.ts';
import { registerPhotoRoutes } from './photos/routes.ts';
import { createPhotoService } from './photos/service.ts';
import type { Clock } from './platform/clock.ts';
import type { Jobs } from './platform/jobs.ts';
import { parseJson } from './platform/json/json-text.ts';
import type { Secrets } from './platform/secrets.ts';
import { profileRoutes } from './profiles/routes.ts';
import { createProfiles } from './profiles/service.ts';
import { isRealtimeUpgrade } from './realtime/admission.ts';
import { attachRealtime } from './realtime/attach.ts';
import { createRetention } from './retention/service.ts';
import { createStoredTexts } from './stored-texts/service.ts';

/** The application's dependencies; tests pass their own clock, mail and files. */
export interface AppDeps {
  config: Config;
  sql: Sql;
  /** A second pool on the same database that plans statements for each search term. */
  searchSql: Sql;
  clock: Clock;
  secrets: Secrets;
  bus: Bus;
  jobs: Jobs;
  mailer: Mailer;
  files: Files;
  images: Images;
  rateLimits: RateLimits;
  /** Logger of requests; undefined for none. */
  log: FastifyBaseLogger | undefined;
  /** Metrics; created here when omitted. */
  metrics?: Metrics | undefined;
  /** Limits for sockets; counted in this process when omitted. */
  connectionLimits?: ConnectionLimits | undefined;
  /** The built pages; without them only calls are served. */
  pages?: PagesBuild | undefined;
}

/** Assembles the application. Nothing listens until the caller calls `listen`. */
export const buildApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { config, sql, searchSql, clock, secrets, bus, jobs, mailer, files, images, rateLimits, log } = deps;
  const { campus, campusOnly, publicUrl } = config;
  const wire = wireOptions(campus);
  const app: FastifyInstance = Fastify({
    ...wire,
    ...(log ? { loggerInstance: log } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: ({ url = '/' }) => withValidEscapes(url),
    // What arrives on an open connection while the server stops is answered like any other, as its last.
    return503OnClosing: false,
    http: {
      ...wire.http,
      // Requests that are not upgraded reach the hooks, which refuse them.
      shouldUpgradeCallback: (request) =>
        (isRealtimeUpgrade(request) || deps.pages?.devServer?.acceptsUpgrade(request) === true) &&
        !hasSeveralHosts(request),
    },
    // Framework errors bypass the hooks, so they set the security headers themselves.
    frameworkErrors: (error, _request, reply) =>
      replyProblem(reply.headers(securityHeaders(publicUrl)), toProblem(error), campus),
  });
  app.decorateRequest('session', undefined);
  installSecurityHeaders(app, { publicUrl });
  installRequestIds(app);
  const metrics = deps.metrics ?? createMetrics();
  installMetrics(app, metrics, config.metricsToken);
  let cachedPages = () => 0;
  installSecurityLog(app);
  installErrorReplies(app, campus);
  installRequestContext(app);
  installClosing(app);
  installSingleHost(app);
  installJsonBody(app);

  const invalidation = createPageInvalidation(bus);
  const audit = createAudit({ sql, clock, pepper: secrets.pepper });
  const accounts = await createAccountServices({
    sql,
    clock,
    bus,
    mailer,
    invalidation,
    rateLimits,
    secrets,
    campus,
    campusOnly,
    publicUrl,
    audit,
  });
  const http: HttpDeps = { authenticate: accounts.authenticate, rateLimits, clock, campus, publicUrl };
  installSearchLimit(app, { ...http, findDeviceOwner: accounts.findDeviceOwner });
  accounts.routes(app, http);

  const uploads = join(config.dataDir, 'uploads');
  const photos = createPhotoService({ sql, files, images, clock, uploads });
  await registerPhotoRoutes(app, http, photos);
  const removeFiles = createFileRemoval(jobs);
  await startFileRemoval(jobs, photos);
  await jobs.repeat('remove-leftovers', '17 * * * *', photos.removeLeftovers);
  await jobs.repeat('remove-orphans', '43 9 * * *', photos.removeOrphans);

  const profiles = createProfiles({ sql, clock, campus, photos, invalidation, removeFiles });
  profileRoutes(app, http, profiles);
  const totals = createTotals({ bus, clock });
  app.addHook('onClose', async () => totals.close());
  const listings = createListings({
    sql,
    searchSql,
    clock,
    campus,
    photos,
    invalidation,
    totals,
    removeFiles,
  });
  listingRoutes(app, http, listings);
  const reads: PublicReads = {
    listListings: async (query) => parseJson(await listings.listPublished(query)),
    listLatest: async (limit) => parseJson(await listings.listLatest(limit)),
    getListing: async (slug) => parseJson(await listings.getPublished(slug)),
    listSimilar: async (slug) => parseJson(await listings.listSimilar(slug)),
  };
  const { listAddresses } = listings;
  const page =
    deps.pages &&
    (await installPages(app, {
      build: deps.pages,
      reads,
      listAddresses,
      campus,
      publicUrl,
      dataDir: resolve(config.dataDir),
      bus,
      clock,
      log: log ?? silentLog,
      metrics: {
        countPage: metrics.countPage,
        watchPages: (size) => {
          cachedPages = size;
        },
      },
    }));
  if (deps.pages) installRoutes(app, { build: deps.pages, campus, publicUrl, offline: config.offline });
  installNotFound(app, campus, page);

  await formRoutes(app, http, createForms({ sql, clock, campus, mailer, files, uploads }));

  const conversations = createConversations({ sql, clock, bus, mailer, limited: config.rateLimits });
  conversationRoutes(app, http, conversations);
  await jobs.repeat('tell-of-unread', '* * * * *', createUnreadMail({ sql, clock, mailer }).gather);
  await unsubscribeRoutes(app, http, {
    pepper: secrets.pepper,
    publicUrl,
    stopMessageMail: profiles.stopMessageMail,
  });
  const accountDeletion = createAccountDeletion({
    sql,
    clock,
    bus,
    invalidation,
    listings,
    audit,
    removeFiles,
    forgetCounts,
  });
  accountDeletionRoutes(app, http, { accountDeletion, ownData: createDataExport({ sql, clock, publicUrl }) });

  const retention = createRetention({ sql, clock, accountDeletion });
  await jobs.repeat('remove-overdue', '7 * * * *', retention.removeOverdue);
  const storedTexts = createStoredTexts({ sql, campus, audit, invalidation });
  await jobs.repeat('check-stored-texts', '* * * * *', storedTexts.checkNext);

  const { authenticate, listEndedSessions } = accounts;
  const realtime = attachRealtime(app.server, {
    authenticate,
    listEndedSessions,
    conversations,
    connectionLimits: deps.connectionLimits ?? createConnectionLimits(),
    bus,
    clock,
    publicUrl,
    trustProxy: config.trustProxy,
    log: log ?? silentLog,
  });
  metrics.watch({
    sockets: realtime.size,
    images: images.load,
    cachedPages: () => cachedPages(),
    jobs: jobs.count,
    database: () => readDatabaseState(sql),
  });
  // preClose runs before the server waits for its connections to end.
  app.addHook('preClose', realtime.close);

  healthRoutes(app, {
    database: () => sql`SELECT 1`,
    files: () => files.read('readiness'),
    jobs: jobs.check,
  });
  await installDocumentation(app, campus, publicUrl, clock.now());
  if (config.mail.by === 'mailbox') mailboxPage(app, sql);

  app.addHook('onClose', async () => accounts.close());
  return app;
};
