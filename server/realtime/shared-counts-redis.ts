import { randomUUID } from 'node:crypto';
import type { RedisClient } from '#server/platform/redis-client.ts';
import { hostTimeoutMs, type SharedConnectionCounts } from './shared-counts.ts';

const hostsKey = 'quad:socket-hosts';
/** Field in the hash of a host that only `renew` writes. */
const aliveField = 'alive';

/**
 * Lua script that stores this host's counts and returns the sums of the other hosts' counts. ARGV contains
 * the host id, the lifetime in ms, the prefix of the hosts' keys, and then pairs of a count's name and value.
 * The counts of each host are a hash, which expires when the host stops renewing it.
 */
const exchangeScript = `
local host, lifetime, prefix = ARGV[1], ARGV[2], ARGV[3]
local own = prefix .. host
local keys = {}
for index = 4, #ARGV, 2 do
  local key, count = ARGV[index], ARGV[index + 1]
  keys[#keys + 1] = key
  if count == '0' then redis.call('HDEL', own, key) else redis.call('HSET', own, key, count) end
end
redis.call('PEXPIRE', own, lifetime)
redis.call('SADD', KEYS[1], host)
local sums = {}
for index = 1, #keys do sums[index] = 0 end
for _, other in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if other ~= host then
    if redis.call('EXISTS', prefix .. other) == 0 then redis.call('SREM', KEYS[1], other)
    else
      for index, count in ipairs(redis.call('HMGET', prefix .. other, unpack(keys))) do
        if count then sums[index] = sums[index] + tonumber(count) end
      end
    end
  end
end
return sums`;

/** Creates shared counts in Redis, whose clock alone decides when a host counts as dead. */
export const createRedisConnectionCounts = (client: RedisClient): SharedConnectionCounts => {
  const host = randomUUID();
  const prefix = `${hostsKey}:`;
  return {
    exchange: async (counts) => {
      const pairs = [...counts].flatMap(([key, count]) => [key, String(count)]);
      const sums = (await client.eval(exchangeScript, {
        keys: [hostsKey],
        arguments: [host, String(hostTimeoutMs), prefix, ...pairs],
      })) as number[];
      return new Map([...counts.keys()].map((key, index) => [key, sums[index] ?? 0]));
    },
    renew: async () => {
      // If Redis lost the hash, it does not contain this field, even if a stored count has created the hash
      // again since then.
      const isNew = await client.hSetNX(prefix + host, aliveField, '1');
      await client.pExpire(prefix + host, hostTimeoutMs);
      return isNew === 0;
    },
    close: async () => {
      await client.del(prefix + host);
      await client.sRem(hostsKey, host);
    },
  };
};
