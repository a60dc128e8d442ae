import type { Config } from './config.ts';
import type { Bus } from './platform/bus.ts';
import { createPostgresBus } from './platform/bus-postgres.ts';
import type { Sql } from './platform/database.ts';
import type { Log } from './platform/log.ts';

/**
 * The bus that is configured. The one server process of a database of its own is `alone`: it announces to nobody and
 * hears what commands announce.
 */
export const openBus = async (
  { redisUrl }: Pick<Config, 'redisUrl'>,
  sql: Sql,
  log: Log,
  { alone }: { alone: boolean },
): Promise<Bus> => {
  if (redisUrl === undefined) return createPostgresBus(sql, log, { speaks: !alone });
  const { createRedisBus } = await import('./platform/bus-redis.ts');
  return createRedisBus(redisUrl, log);
};
