/**
 * Program that simulates another host: acquires connection slots for an account in the store that the
 * environment names, prints how many it got, and keeps them until it is killed.
 */
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { connectToRedis } from '#server/platform/redis-client.ts';
import { createSharedConnectionLimits } from '#server/realtime/shared-connection-limits.ts';
import { createPostgresConnectionCounts } from '#server/realtime/shared-counts-postgres.ts';
import { createRedisConnectionCounts } from '#server/realtime/shared-counts-redis.ts';

const [address = '', account = '', slots = '0'] = process.argv.slice(2);
const { QUAD_REDIS_URL, QUAD_DATABASE_URL = '' } = process.env;
const shared = QUAD_REDIS_URL
  ? createRedisConnectionCounts(await connectToRedis(QUAD_REDIS_URL))
  : createPostgresConnectionCounts({ sql: openDatabase(QUAD_DATABASE_URL, { max: 1 }), clock: systemClock });
const limits = createSharedConnectionLimits({ shared, log: silentLog });
await limits.renew();
let granted = 0;
for (let count = 0; count < Number(slots); count += 1) {
  const slot = await limits.acquire(address);
  if (await slot?.claim(account)) granted += 1;
}
process.send?.({ granted });
