import type { Config } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { watchDatabase } from '#server/platform/postgres/database-watch.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { type ConnectionLimits, createConnectionLimits } from '#server/realtime/connection-limits.ts';
import { createSharedConnectionLimits } from '#server/realtime/shared-connection-limits.ts';
import { hostRenewalIntervalMs, type SharedConnectionCounts } from '#server/realtime/shared-counts.ts';

type SharedCountsConfig = Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'redisUrl'>;

const openSharedCounts = async (
  databaseUrl: string,
  { directDatabaseUrl, redisUrl }: SharedCountsConfig,
): Promise<{ shared: SharedConnectionCounts; close(): Promise<void> }> => {
  if (redisUrl !== undefined) {
    const { connectToRedis } = await import('#server/platform/redis-client.ts');
    const { createRedisConnectionCounts } = await import('#server/realtime/shared-counts-redis.ts');
    const client = await connectToRedis(redisUrl);
    return { shared: createRedisConnectionCounts(client), close: async () => client.destroy() };
  }
  const { createPostgresConnectionCounts } = await import('#server/realtime/shared-counts-postgres.ts');
  const sql = openDatabase(databaseUrl, { max: 1, prepare: directDatabaseUrl === undefined });
  // Log nothing here, because the serving processes already report a database that does not respond.
  const watch = watchDatabase(databaseUrl, [sql], silentLog);
  return {
    shared: createPostgresConnectionCounts({ sql, clock: systemClock }),
    close: async () => {
      await watch.stop();
      await sql.end({ timeout: 1 });
    },
  };
};

/**
 * Starts the connection limits of this host. With `QUAD_DATABASE_URL` there may be several hosts, so the sockets of
 * all of them are counted together, in Redis if it is configured and otherwise in PostgreSQL. With an
 * embedded database there is only one host.
 */
export const startConnectionLimits = async (
  config: SharedCountsConfig,
  log: Log,
): Promise<{ connectionLimits: ConnectionLimits; close(): Promise<void> }> => {
  if (config.databaseUrl === undefined)
    return { connectionLimits: createConnectionLimits(), close: async () => {} };
  const { shared, close } = await openSharedCounts(config.databaseUrl, config);
  const connectionLimits = createSharedConnectionLimits({ shared, log });
  await connectionLimits.renew();
  const timer = setInterval(() => void connectionLimits.renew(), hostRenewalIntervalMs);
  timer.unref();
  return {
    connectionLimits,
    close: async () => {
      clearInterval(timer);
      await connectionLimits.close();
      await close();
    },
  };
};
