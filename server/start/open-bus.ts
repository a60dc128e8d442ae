import type { Config } from '#server/config.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';

/**
 * Opens the configured bus: Redis if a URL is set, otherwise PostgreSQL. `alone` means that no other server
 * process uses this database; a PostgreSQL bus then sends no messages and only receives messages from
 * commands.
 */
export const openBus = async (
  { redisUrl }: Pick<Config, 'redisUrl'>,
  sql: Sql,
  log: Log,
  { alone }: { alone: boolean },
): Promise<Bus> => {
  if (redisUrl === undefined) return createPostgresBus(sql, log, { publishes: !alone });
  const { createRedisBus } = await import('#server/platform/bus/bus-redis.ts');
  return createRedisBus(redisUrl, log);
};
