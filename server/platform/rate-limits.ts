import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from '#contract/errors.ts';
import { type Limit, type LimitName, limits, sharedAddressFactor } from '#contract/limits.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';

/** What a request counts for. */
export interface Caller {
  /** The client's address. */
  address: string;
  userId?: string | undefined;
  /** The email address of the account in question, regardless of the caller. */
  about?: string | undefined;
}

/** Counts a request across all processes; throws a 429 Problem with Retry-After beyond the limit. */
export interface RateLimits {
  consume(limit: LimitName, caller: Caller): Promise<void>;
  /** Resets the count. */
  forgive(limit: LimitName, caller: Caller): Promise<void>;
  /** Takes back one count, because the limit turned out not to apply. */
  refund(limit: LimitName, caller: Caller): Promise<void>;
}

/** Counts nothing: for tests and development. */
export const noRateLimits: RateLimits = {
  consume: async () => {},
  forgive: async () => {},
  refund: async () => {},
};

/** An IPv6 client owns a /64, so it counts by its first four groups; an IPv4 client by its address. */
export const clientKey = (address: string): string => {
  if (!isIP(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
};

const named = (about = ''): string => createHash('sha256').update(about).digest('base64url').slice(0, 22);
const pairOf = ({ address, about }: Caller): string => `p:${clientKey(address)}:${named(about)}`;

/** Returns the keys to count under, each with a multiple of the limit. */
const countersOf = (limit: LimitName, caller: Caller): { key: string; factor: number }[] => {
  const { by, visitors = 1 }: Limit = limits[limit];
  if (by === 'named') return [{ key: `n:${named(caller.about)}`, factor: 1 }];
  if (by === 'pair') return [{ key: pairOf(caller), factor: 1 }];
  const client = clientKey(caller.address);
  if (caller.userId === undefined) return [{ key: `a:${client}`, factor: visitors }];
  return [
    { key: `u:${caller.userId}`, factor: 1 },
    { key: `s:${client}`, factor: sharedAddressFactor },
  ];
};

/** Deletes the counts of an account, by its id and its address, as part of a transaction. */
export const forgetCounts = async (
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> => {
  const ofPerson = Object.keys(limits).map((limit) => `${limit}:u:${userId}`);
  const ofAddress = `:${named(email)}`;
  await tx`
    DELETE FROM private.rate_limits
    WHERE key = ANY (${ofPerson}) OR right(key, ${ofAddress.length}) = ${ofAddress}`;
};

/** Creates limits that are counted in PostgreSQL (table private.rate_limits). */
export const createRateLimits = (sql: Sql): RateLimits => {
  const client = {
    query: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const rows = await sql.unsafe(text, values as never[], { prepare: true });
      return { rows, rowCount: rows.count };
    },
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (name: string, points: number, seconds: number): RateLimiterPostgres => {
    const known = limiters.get(`${name} ${points}`);
    if (known) return known;
    const made = new RateLimiterPostgres({
      storeClient: client,
      storeType: 'client',
      schemaName: 'private',
      tableName: 'rate_limits',
      tableCreated: true,
      // The retention job deletes expired counts (server/retention).
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    });
    limiters.set(`${name} ${points}`, made);
    return made;
  };
  const limiterFor = (limit: LimitName, factor: number) =>
    limiterOf(limit, limits[limit].points * factor, limits[limit].seconds);

  return {
    consume: async (limit, caller) => {
      for (const { key, factor } of countersOf(limit, caller)) {
        try {
          await limiterFor(limit, factor).consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
          const { sentence }: Limit = limits[limit];
          throw problem('rate_limited', { retryAfter, sentence: sentence?.(retryAfter) });
        }
      }
    },
    forgive: async (limit, caller) => {
      for (const { key, factor } of countersOf(limit, caller)) await limiterFor(limit, factor).delete(key);
    },
    refund: async (limit, caller) => {
      for (const { key, factor } of countersOf(limit, caller)) await limiterFor(limit, factor).reward(key);
    },
  };
};
