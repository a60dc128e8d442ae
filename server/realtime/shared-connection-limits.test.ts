import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { connectToRedis } from '#server/platform/redis-client.ts';
import { createTestClock, type TestClock } from '#server/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startRedis, type TestRedis } from '#server/testing/redis.ts';
import type { ConnectionQuotas } from './connection-limits.ts';
import { createSharedConnectionLimits, type SharedConnectionLimits } from './shared-connection-limits.ts';
import { hostRenewalIntervalMs, hostTimeoutMs, type SharedConnectionCounts } from './shared-counts.ts';
import { createPostgresConnectionCounts } from './shared-counts-postgres.ts';
import { createRedisConnectionCounts } from './shared-counts-redis.ts';

const hostProgram = fileURLToPath(new URL('../testing/simulated-host.ts', import.meta.url));
const ipAddress = '192.0.2.7';

let database: TestDatabase;
let redis: TestRedis;
let adminSql: Sql;
let clock: TestClock;
let clients: (() => unknown)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  adminSql = openDatabase(database.url, { max: 1 });
  redis = await startRedis();
});
beforeEach(() => {
  clock = createTestClock();
});
afterEach(async () => {
  for (const close of clients.splice(0)) await close();
  clients = [];
  await adminSql`TRUNCATE private.socket_counts, private.socket_hosts`;
});
afterAll(async () => {
  await adminSql.end();
  await database.drop();
  await redis.stop();
});

/** Advances the clock and renews the registrations of these hosts every ten seconds, as running hosts do. */
const elapse = async (hosts: SharedConnectionLimits[], ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += hostRenewalIntervalMs) {
    clock.advance(hostRenewalIntervalMs / 1000);
    for (const host of hosts) await host.renew();
  }
};

const stores = {
  PostgreSQL: {
    environment: () => ({ QUAD_DATABASE_URL: database.url }),
    open: async (): Promise<SharedConnectionCounts> => {
      const sql = openDatabase(database.url, { max: 1 });
      clients.push(() => sql.end());
      return createPostgresConnectionCounts({ sql, clock });
    },
    expireDeadHosts: (living: SharedConnectionLimits[]) => elapse(living, hostTimeoutMs),
    lose: () => adminSql`TRUNCATE private.socket_counts, private.socket_hosts`,
  },
  Redis: {
    environment: () => ({ QUAD_REDIS_URL: redis.url }),
    open: async (): Promise<SharedConnectionCounts> => {
      const client = await connectToRedis(redis.url);
      clients.push(() => client.destroy());
      return createRedisConnectionCounts(client);
    },
    // Redis does not use the test clock, so the test deletes the counts of all hosts, as if they had expired;
    // the hosts that are alive then store their counts again.
    expireDeadHosts: async (living: SharedConnectionLimits[]) => {
      const client = await createClient({ url: redis.url }).connect();
      const lifetimes: number[] = [];
      for (const key of await client.keys('quad:socket-hosts:*')) {
        lifetimes.push(await client.pTTL(key));
        await client.del(key);
      }
      client.destroy();
      expect(Math.min(...lifetimes)).toBeGreaterThan(0);
      expect(Math.max(...lifetimes)).toBeLessThanOrEqual(hostTimeoutMs);
      for (const host of living) await host.renew();
    },
    lose: async () => {
      const client = await createClient({ url: redis.url }).connect();
      await client.flushAll();
      client.destroy();
    },
  },
};

describe.each(['PostgreSQL', 'Redis'] as const)(
  'promise 37: sockets of several hosts, counted in %s',
  (name) => {
    const store = stores[name];
    const startHost = async (quotas: Partial<ConnectionQuotas> = {}, shared?: SharedConnectionCounts) => {
      const host = createSharedConnectionLimits({
        shared: shared ?? (await store.open()),
        log: silentLog,
        quotas,
      });
      await host.renew();
      clients.unshift(host.close);
      return host;
    };
    const openSocket = async (host: SharedConnectionLimits, account: string) => {
      const slot = await host.acquire(ipAddress);
      const isClaimed = (await slot?.claim(account)) ?? false;
      if (!isClaimed) slot?.release();
      return isClaimed ? slot : undefined;
    };

    test('an account has one quota on all hosts, and a closed socket frees it everywhere', async () => {
      const quotas = { perAccount: 3 };
      const [first, second] = [await startHost(quotas), await startHost(quotas)];
      const opened = await openSocket(first, 'sally');
      expect(opened).toBeDefined();
      expect(await openSocket(first, 'sally')).toBeDefined();
      expect(await openSocket(second, 'sally')).toBeDefined();
      expect(await openSocket(second, 'sally')).toBeUndefined();
      expect(await openSocket(first, 'sally')).toBeUndefined();
      expect(await openSocket(second, 'ben')).toBeDefined();
      opened?.release();
      await expect.poll(() => openSocket(second, 'sally')).toBeDefined();
    });

    test('an address has one quota on all hosts, for all sockets and for unauthenticated ones', async () => {
      const quotas = { perAddress: 4, unauthenticatedPerAddress: 2 };
      const [first, second] = [await startHost(quotas), await startHost(quotas)];
      const [one, two] = [await first.acquire(ipAddress), await second.acquire(ipAddress)];
      expect(await first.acquire(ipAddress)).toBeUndefined();
      expect(await second.acquire('192.0.2.8')).toBeDefined();
      expect([await one?.claim('sally'), await two?.claim('ben')]).toEqual([true, true]);
      const three = await vi.waitFor(
        async () => {
          const slot = await first.acquire(ipAddress);
          expect(slot).toBeDefined();
          return slot;
        },
        { timeout: 10_000 },
      );
      await three?.claim('uma');
      await expect.poll(() => second.acquire(ipAddress)).toBeDefined();
      expect(await second.acquire(ipAddress)).toBeUndefined();
      expect(await first.acquire(ipAddress)).toBeUndefined();
    });

    test('a socket that changes accounts counts toward only one of them, even after a refusal', async () => {
      const quotas = { perAccount: 1 };
      const [first, second] = [await startHost(quotas), await startHost(quotas)];
      const socket = await openSocket(first, 'sally');
      await openSocket(second, 'ben');
      expect(await socket?.claim('ben')).toBe(false);
      expect(await openSocket(second, 'sally')).toBeUndefined();
      expect(await socket?.claim('uma')).toBe(true);
      await expect.poll(() => openSocket(second, 'sally')).toBeDefined();
    });

    test('hosts that grant slots at the same time never exceed a quota', async () => {
      const hosts = await Promise.all([startHost(), startHost(), startHost()]);
      const granted = await Promise.all(
        hosts.flatMap((host) => Array.from({ length: 15 }, () => openSocket(host, 'sally'))),
      );
      const count = granted.filter(Boolean).length;
      expect(count).toBeLessThanOrEqual(20);
      // Attempts made at the same moment may all have been refused although slots were free; later attempts
      // must get these slots.
      for (let more = count; more < 20; more += 1)
        await expect.poll(() => openSocket(hosts[more % 3] as SharedConnectionLimits, 'sally')).toBeDefined();
      for (const host of hosts) expect(await openSocket(host, 'sally')).toBeUndefined();
    });

    test('the sockets of a killed host stop counting within a minute; those of a live host keep counting', async () => {
      const living = await startHost();
      const child = fork(hostProgram, [ipAddress, 'sally', '15'], {
        env: { ...process.env, ...store.environment() },
      });
      const [report] = await once(child, 'message');
      expect(report).toEqual({ granted: 15 });
      for (let count = 0; count < 5; count += 1) expect(await openSocket(living, 'sally')).toBeDefined();
      expect(await openSocket(living, 'sally')).toBeUndefined();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await living.renew();
      expect(await openSocket(living, 'sally')).toBeUndefined();
      await store.expireDeadHosts([living]);
      const granted = await Promise.all(Array.from({ length: 16 }, () => openSocket(living, 'sally')));
      expect(granted.filter(Boolean)).toHaveLength(15);
      expect(hostTimeoutMs + 2 * hostRenewalIntervalMs).toBeLessThan(60_000);
    }, 30_000);

    test('a host that was considered dead, or whose counts were lost, stores its counts again', async () => {
      const quotas = { perAccount: 2 };
      const [stalled, other] = [await startHost(quotas), await startHost(quotas)];
      for (let count = 0; count < 2; count += 1) await openSocket(stalled, 'sally');
      await other.renew();
      await store.expireDeadHosts([other]);
      expect(await openSocket(other, 'ben')).toBeDefined();
      await stalled.renew();
      expect(await openSocket(other, 'sally')).toBeUndefined();
      await store.lose();
      // Open a socket before the renewal, which stores only the counts for this socket.
      expect(await openSocket(stalled, 'uma')).toBeDefined();
      await stalled.renew();
      await other.renew();
      expect(await openSocket(other, 'sally')).toBeUndefined();
    });

    test('while the store fails or hangs, each host applies the quotas to its own sockets', async () => {
      const failing = { isFailing: true };
      const shared = await store.open();
      const host = await startHost(
        { perAccount: 2 },
        {
          ...shared,
          exchange: (counts) =>
            failing.isFailing ? Promise.reject(new Error('no store')) : shared.exchange(counts),
        },
      );
      const other = await startHost({ perAccount: 2 });
      await openSocket(other, 'sally');
      expect(await openSocket(host, 'sally')).toBeDefined();
      expect(await openSocket(host, 'sally')).toBeDefined();
      expect(await openSocket(host, 'sally')).toBeUndefined();
      failing.isFailing = false;
      expect(await openSocket(host, 'sally')).toBeUndefined();
      const hanging = createSharedConnectionLimits({
        shared: { ...shared, exchange: () => new Promise(() => {}) },
        log: silentLog,
        timeoutMs: 20,
      });
      expect(await openSocket(hanging, 'ben')).toBeDefined();
    });
  },
);
