import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/config.ts';
import { loadPagesBuild, type PagesBuild } from '#server/pages/load-build.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { deferDeletionsDuringBackup } from '#server/platform/postgres/backup-guard.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { watchDatabase } from '#server/platform/postgres/database-watch.ts';
import { assertSchemaNotNewer } from '#server/platform/postgres/migrations.ts';
import { hasPooler } from '#server/platform/postgres/pooler.ts';
import { watchPrimary } from '#server/platform/postgres/primary-watch.ts';
import { openReadReplicas } from '#server/platform/postgres/read-replicas.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import type { LinePrinter } from '#server/platform/process/log.ts';
import type { Metrics } from '#server/platform/process/metrics.ts';
import { stopWithTimeout } from '#server/platform/process/stop-with-timeout.ts';
import { startTracing } from '#server/platform/process/tracing.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import type { ConnectionLimits } from '#server/realtime/connection-limits.ts';
import { createApp } from '../create-app.ts';
import { buildServer } from './http-server.ts';
import { openBus } from './open-bus.ts';
import { openFiles } from './open-files.ts';
import { openServerJobQueue } from './open-job-queue.ts';
import { openMailDelivery } from './open-mail-delivery.ts';
import { openMailer } from './open-mailer.ts';

/**
 * Timeout for stopping the server, for example while a request hangs. The rest of the ten seconds for the whole
 * shutdown is left for the database.
 */
const stopTimeoutMs = 7_000;

export interface RunningServer {
  stop(): Promise<void>;
}

/** What the process gives the server that it starts. */
interface ServingOptions {
  say: LinePrinter;
  log: FastifyBaseLogger;
  metrics: Metrics;
  connectionLimits: ConnectionLimits;
  /** Loads the pages. By default, loads the built pages. */
  loadPages?: (() => Promise<PagesBuild>) | undefined;
}

/**
 * Opens the connections of this process to the database and watches them. Adds what closes them to `closers`. `sessionSql`
 * does not go through a pooler.
 */
const openConnections = async (
  config: Config,
  databaseUrl: string,
  { log, metrics, closers }: Pick<ServingOptions, 'log' | 'metrics'> & { closers: (() => unknown)[] },
) => {
  // Connect directly where needed: a pooler in transaction mode supports neither prepared statements nor
  // LISTEN.
  const { directDatabaseUrl: directUrl = databaseUrl } = config;
  const sql = openDatabase(databaseUrl, { prepare: directUrl === databaseUrl });
  closers.push(() => sql.end({ timeout: 5 }));
  // Check the schema version again: this process may be a worker that was restarted long after the database
  // was prepared, and in the meantime a newer version may have migrated the database.
  await assertSchemaNotNewer(sql);
  const search = openSearchDatabase(databaseUrl, { max: 4, hasPooler: await hasPooler(sql) });
  closers.push(() => search.sql.end({ timeout: 5 }));
  closers.push(watchDatabase(databaseUrl, [sql, search.sql], log).stop);
  closers.push(watchPrimary(databaseUrl, log, { onMove: metrics.countFailover }).stop);
  const sessionSql = directUrl === databaseUrl ? sql : openDatabase(directUrl, { max: 1 });
  if (sessionSql !== sql) {
    closers.push(() => sessionSql.end({ timeout: 5 }));
    closers.push(watchDatabase(directUrl, [sessionSql], log).stop);
    closers.push(watchPrimary(directUrl, log).stop);
  }
  return { sql, search, sessionSql };
};

/**
 * Starts the HTTP server in this process, with a database that `prepareQuad` has prepared. Resolves
 * when the server listens.
 */
export const startServing = async (
  config: Config,
  databaseUrl: string,
  { say, log, metrics, connectionLimits, loadPages = loadPagesBuild }: ServingOptions,
): Promise<RunningServer> => {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    closers.push(await startTracing(process.env, (message) => log.warn(`traces: ${message}`)));
    const clock = systemClock;
    const { sql, search, sessionSql } = await openConnections(config, databaseUrl, { log, metrics, closers });
    const secrets = await loadSecrets(resolve(config.dataDir));
    const alone = config.databaseUrl === undefined && config.workers === 1;
    const bus = await openBus(config, sessionSql, log, { alone });
    closers.push(bus.close);
    const replicas =
      config.readDatabaseUrls.length > 0
        ? openReadReplicas({
            urls: config.readDatabaseUrls,
            ...{ sql, runOnPrimary: search.run, bus, clock, log },
            onSearch: metrics.countSearch,
            onProbe: metrics.observeStandby,
          })
        : undefined;
    closers.push(() => replicas?.close());
    const images = createImageProcessor();
    closers.push(images.close);
    const store = await openFiles(config);
    closers.push(store.close);
    await store.check();
    const files = deferDeletionsDuringBackup(store.files, sql, log);

    const jobs = await openServerJobQueue(config.directDatabaseUrl ?? databaseUrl, log);
    closers.push(jobs.stop);
    const delivery = openMailDelivery(config, { sql, clock, files, printLine: say });
    if (delivery) closers.push(delivery.close);

    const app = createApp({
      config,
      sql,
      search: replicas?.run ?? search.run,
      clock,
      secrets,
      bus,
      jobs,
      mail: openMailer(config.mail, jobs, secrets.pepper),
      files,
      images,
      limits: config.rateLimits ? createRateLimits(sql) : noRateLimits,
      log,
    });
    const pages = await loadPages();
    const server = buildServer(app, { jobs, delivery, logger: log, metrics, connectionLimits, pages });
    closers.push(() => server.close());
    const { host, port, listenFd } = config;
    // Fastify passes `fd` on to Node's `server.listen`, although Fastify's types do not declare this
    // option.
    const socket = listenFd === undefined ? { host, port } : { host, fd: listenFd };
    await server.listen(socket);
    return { stop: () => stopWithTimeout(stop, stopTimeoutMs) };
  } catch (error) {
    await stop();
    throw error;
  }
};
