import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from '#contract/errors.ts';
import { type Limit, type LimitName, limits, sharedAddressFactor } from '#contract/limits.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';

/** The client, account and email address that a request is counted for. */
export interface Caller {
  /** The client's address. */
  address: string;
  userId?: string | undefined;
  /**
   * Email address of the account that the request is about, whoever sends it; for example the account of a log-in
   * attempt.
   */
  about?: string | undefined;
}

/** Rate limits that are counted across all processes. */
export interface RateLimits {
  /** Counts a request; throws a Problem (429 with Retry-After) when the limit is exceeded. */
  consume(limit: LimitName, caller: Caller): Promise<void>;
  /** Resets the caller's count to zero. */
  forgive(limit: LimitName, caller: Caller): Promise<void>;
  /** Subtracts one request from the count, because the limit turned out not to apply to it. */
  refund(limit: LimitName, caller: Caller): Promise<void>;
}

/** Rate limits that are never exceeded, for tests and development. */
export const noRateLimits: RateLimits = {
  consume: async () => {},
  forgive: async () => {},
  refund: async () => {},
};

/**
 * Returns the key under which a client address is counted: an IPv4 address, or the /64 network of an IPv6 address,
 * since one client owns a whole /64.
 */
export const clientKey = (address: string): string => {
  if (!isIP(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
};

const hashEmail = (about = ''): string => createHash('sha256').update(about).digest('base64url').slice(0, 22);
const toPairKey = ({ address, about }: Caller): string => `p:${clientKey(address)}:${hashEmail(about)}`;

/** Returns the keys that a request counts under, each with the factor by which its limit is multiplied. */
const listCounters = (limit: LimitName, caller: Caller): { key: string; factor: number }[] => {
  const { by, visitors = 1 }: Limit = limits[limit];
  if (by === 'named') return [{ key: `n:${hashEmail(caller.about)}`, factor: 1 }];
  if (by === 'pair') return [{ key: toPairKey(caller), factor: 1 }];
  const client = clientKey(caller.address);
  if (caller.userId === undefined) return [{ key: `a:${client}`, factor: visitors }];
  return [
    { key: `u:${caller.userId}`, factor: 1 },
    { key: `s:${client}`, factor: sharedAddressFactor },
  ];
};

/** Deletes all counts under an account's id or email address, within the caller's transaction. */
export const deleteRateLimitCounts = async (
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> => {
  const accountKeys = Object.keys(limits).map((limit) => `${limit}:u:${userId}`);
  const emailKeySuffix = `:${hashEmail(email)}`;
  await tx`
    DELETE FROM private.rate_limits
    WHERE key = ANY (${accountKeys}) OR right(key, ${emailKeySuffix.length}) = ${emailKeySuffix}`;
};

/** Creates rate limits that are counted in PostgreSQL (table private.rate_limits). */
export const createRateLimits = (sql: Sql): RateLimits => {
  const client = {
    query: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const rows = await sql.unsafe(text, values as never[], { prepare: true });
      return { rows, rowCount: rows.count };
    },
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  const getLimiterByName = (name: string, points: number, seconds: number): RateLimiterPostgres => {
    const known = limiters.get(`${name} ${points}`);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: client,
      storeType: 'client',
      schemaName: 'private',
      tableName: 'rate_limits',
      tableCreated: true,
      // The library must not delete expired counts, because the retention job does (server/retention).
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    });
    limiters.set(`${name} ${points}`, limiter);
    return limiter;
  };
  const getLimiter = (limit: LimitName, factor: number) =>
    getLimiterByName(limit, limits[limit].points * factor, limits[limit].seconds);

  return {
    consume: async (limit, caller) => {
      for (const { key, factor } of listCounters(limit, caller)) {
        try {
          await getLimiter(limit, factor).consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
          const { sentence }: Limit = limits[limit];
          throw problem('rate_limited', { retryAfter, sentence: sentence?.(retryAfter) });
        }
      }
    },
    forgive: async (limit, caller) => {
      for (const { key, factor } of listCounters(limit, caller)) await getLimiter(limit, factor).delete(key);
    },
    refund: async (limit, caller) => {
      for (const { key, factor } of listCounters(limit, caller)) await getLimiter(limit, factor).reward(key);
    },
  };
};
