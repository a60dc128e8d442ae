import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createProblem } from '#contract/errors.ts';
import {
  type RateLimitName,
  type RateLimitRule,
  rateLimitRules,
  sharedIpLimitFactor,
} from '#contract/limits.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';

/** Identifies the counts that a request adds to: by client, account and email address. */
export interface RateLimitSubject {
  address: string;
  userId?: string | undefined;
  /**
   * Email address of the account that the request is about. This need not be the sender's own account: for
   * a log-in attempt, it is the account to log in to.
   */
  about?: string | undefined;
}

/** Rate limits that are counted across all processes. */
export interface RateLimits {
  /** Counts a request; throws a Problem (429 with Retry-After) when the limit is exceeded. */
  consume(limit: RateLimitName, caller: RateLimitSubject): Promise<void>;
  /** Resets the caller's count for this limit to zero. */
  forgive(limit: RateLimitName, caller: RateLimitSubject): Promise<void>;
  /**
   * Subtracts one request from the caller's count, for a request to which the limit turned out not
   * to apply.
   */
  refund(limit: RateLimitName, caller: RateLimitSubject): Promise<void>;
}

/**
 * Returns the key under which requests of a client address are counted: an IPv4 address or, since one client
 * usually has a whole /64 network, the /64 network of an IPv6 address.
 */
export const toClientAddressKey = (address: string): string => {
  if (!isIP(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
};

const hashEmail = (about = ''): string => createHash('sha256').update(about).digest('base64url').slice(0, 22);
const toClientEmailKey = ({ address, about }: RateLimitSubject): string =>
  `p:${toClientAddressKey(address)}:${hashEmail(about)}`;

/**
 * Returns the keys of the counters that a request increments, each with a factor by which the limit
 * is multiplied for this counter.
 */
const listCounters = (limit: RateLimitName, caller: RateLimitSubject): { key: string; factor: number }[] => {
  const { by, visitors = 1 }: RateLimitRule = rateLimitRules[limit];
  if (by === 'named') return [{ key: `n:${hashEmail(caller.about)}`, factor: 1 }];
  if (by === 'pair') return [{ key: toClientEmailKey(caller), factor: 1 }];
  const client = toClientAddressKey(caller.address);
  if (caller.userId === undefined) return [{ key: `a:${client}`, factor: visitors }];
  return [
    { key: `u:${caller.userId}`, factor: 1 },
    { key: `s:${client}`, factor: sharedIpLimitFactor },
  ];
};

/** Deletes all counts under an account's id or email address, within the caller's transaction. */
export const deleteRateLimitCounts = async (
  tx: Queryable,
  { userId, email }: { userId: string; email: string },
): Promise<void> => {
  const accountKeys = Object.keys(rateLimitRules).map((limit) => `${limit}:u:${userId}`);
  const emailKeySuffix = `:${hashEmail(email)}`;
  await tx`
    DELETE FROM private.rate_limits
    WHERE key = ANY (${accountKeys}) OR right(key, ${emailKeySuffix.length}) = ${emailKeySuffix}`;
};

/** Creates rate limits that are counted in PostgreSQL (table private.rate_limits). */
export const createRateLimits = (sql: Sql): RateLimits => {
  const client = {
    query: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const rows = await sql.query(text, values);
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
      // Do not let the library delete expired counts; the retention job deletes them
      // (server/retention).
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
    });
    limiters.set(`${name} ${points}`, limiter);
    return limiter;
  };
  const getLimiter = (limit: RateLimitName, factor: number) =>
    getLimiterByName(limit, rateLimitRules[limit].points * factor, rateLimitRules[limit].seconds);

  return {
    consume: async (limit, caller) => {
      for (const { key, factor } of listCounters(limit, caller)) {
        try {
          await getLimiter(limit, factor).consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
          const { sentence }: RateLimitRule = rateLimitRules[limit];
          throw createProblem('rate_limited', { retryAfter, sentence: sentence?.(retryAfter) });
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
