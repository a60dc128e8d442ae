import { isIPv6 } from 'node:net';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from '#contract/errors.ts';
import { type LimitName, limits } from '#contract/limits.ts';
import type { Sql } from '#server/platform/database.ts';

/** Counts what is done, in all processes together; refuses with 429 and Retry-After when it is too much. */
export interface RateLimits {
  consume(limit: LimitName, who: { address: string; userId?: string | undefined }): Promise<void>;
}

/** Counts nothing: for tests and development. */
export const noRateLimits: RateLimits = { consume: async () => {} };

/** An IPv6 client owns a /64, so it counts by its first four groups; an IPv4 client by its address. */
export const clientKey = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? 8 - left.length - right.length : 0;
  return [...left, ...Array(zeros).fill('0'), ...right]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
};

/** Limits counted in PostgreSQL (table private.rate_limits). */
export const createRateLimits = (sql: Sql): RateLimits => {
  const client = {
    query: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const rows = await sql.unsafe(text, values as never[], { prepare: true });
      return { rows, rowCount: rows.count };
    },
  };
  const limiters = new Map(
    Object.entries(limits).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: client,
        storeType: 'client',
        schemaName: 'private',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
      }),
    ]),
  );
  return {
    consume: async (limit, { address, userId }) => {
      const limiter = limiters.get(limit);
      const keys = [`a:${clientKey(address)}`, ...(userId === undefined ? [] : [`u:${userId}`])];
      for (const key of keys) {
        try {
          await limiter?.consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          throw problem('rate_limited', { retryAfter: Math.ceil(refusal.msBeforeNext / 1000) });
        }
      }
    },
  };
};
