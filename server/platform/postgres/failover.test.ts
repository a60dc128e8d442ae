import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { BusMessage } from '#contract/realtime.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { type QueueDefinition, startJobQueue } from '#server/platform/jobs.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '#server/testing/replicated-database.ts';
import { startSlowProxy } from '#server/testing/slow-proxy.ts';
import { waitWithTimeout } from '#server/testing/wait-with-timeout.ts';
import { isUnavailableError, openDatabase, type Sql } from './database.ts';
import { assertUsableDatabase } from './database-check.ts';
import { migrateDatabase } from './migrations.ts';
import { watchPrimary } from './primary-watch.ts';

const announcement: BusMessage = { kind: 'read', conversation_id: 'conversation', user_id: 'reader' };
const queue: QueueDefinition<{ id: number }> = {
  name: 'failover-test',
  retries: 1,
  retryDelay: 1,
  payload: z.object({ id: z.number() }),
};
/** How long the application may take to reach the database again after a promotion, in ms. */
const recoveryTimeoutMs = 10_000;

let database: ReplicatedDatabase;
let sql: Sql;
let watch: { stop(): void };
beforeEach(async () => {
  database = await startReplicatedDatabase();
  sql = openDatabase(database.url, { max: 3 });
  watch = watchPrimary(database.url, silentLog, { intervalMs: 100 });
});
afterEach(async () => {
  watch.stop();
  await sql.end({ timeout: 1 });
  await database.close();
});

const readPort = async (queryable: Sql = sql): Promise<number> => {
  const [row] = await queryable<{ port: number }[]>`SELECT current_setting('port')::int AS port`;
  return row?.port ?? 0;
};

const waitForPrimary = (port: number): Promise<void> =>
  vi.waitFor(async () => expect(await readPort()).toBe(port), { timeout: recoveryTimeoutMs, interval: 20 });

/** Waits until the standby has applied everything that the primary has written so far. */
const waitForReplication = async (): Promise<void> => {
  const [primary] = await sql<{ written: string }[]>`SELECT pg_current_wal_lsn()::text AS written`;
  const standby = openDatabase(database.urlOf(database.standby), { max: 1 });
  await vi.waitFor(
    async () => {
      const [row] = await standby<{ applied: boolean }[]>`
        SELECT pg_last_wal_replay_lsn() >= ${primary?.written ?? ''}::text::pg_lsn AS applied`;
      expect(row?.applied).toBe(true);
    },
    { timeout: recoveryTimeoutMs, interval: 20 },
  );
  await standby.end();
};

test('after the primary was killed, writes, announcements, jobs and migrations use the promoted standby', async () => {
  const { primary, standby } = database;
  expect(await readPort()).toBe(primary.port);
  const bus = await createPostgresBus(sql, silentLog);
  const received: BusMessage[] = [];
  bus.subscribe((it) => received.push(it));
  const jobs = await startJobQueue(database.url, [queue], silentLog);
  const processed: number[] = [];
  await jobs.work(queue, async ({ id }) => void processed.push(id));
  // Without its queue on the standby, the job could not be added after the promotion.
  await waitForReplication();

  primary.signal('SIGKILL');
  const failed = await waitWithTimeout(
    recoveryTimeoutMs,
    sql`SELECT 1`.then(
      () => undefined,
      (error) => error,
    ),
  );
  expect(isUnavailableError(failed)).toBe(true);

  await standby.promote();
  await waitForPrimary(standby.port);
  const folder = mkdtempSync(join(tmpdir(), 'quad-migrations-'));
  writeFileSync(join(folder, '0001_written.sql'), 'CREATE TABLE written (id int)');
  expect(await migrateDatabase({ databaseUrl: database.url, log: silentLog, folder })).toEqual([
    '0001_written',
  ]);
  rmSync(folder, { recursive: true });
  await jobs.enqueue(sql, queue, { id: 7 });
  await vi.waitFor(() => expect(processed).toEqual([7]), { timeout: recoveryTimeoutMs });
  await vi.waitFor(
    async () => {
      await bus.publish(announcement);
      expect(received).toContainEqual(announcement);
    },
    { timeout: recoveryTimeoutMs, interval: 100 },
  );
  await Promise.all([bus.close(), jobs.stop()]);
});

test('a frozen primary is replaced by the promoted standby, and is not used when it resumes', async () => {
  const { primary, standby } = database;
  await sql`CREATE TABLE written (id int)`;
  await waitForReplication();
  primary.signal('SIGSTOP');
  const waiting = sql`INSERT INTO written VALUES (1)`.then(
    () => undefined,
    (error) => error,
  );
  await standby.promote();
  await waitForPrimary(standby.port);
  const lost = await waitWithTimeout(recoveryTimeoutMs, waiting);
  expect(isUnavailableError(lost)).toBe(true);

  // The former primary has not noticed the promotion and still accepts writes.
  primary.signal('SIGCONT');
  const formerPrimary = openDatabase(database.urlOf(primary), { max: 1 });
  await formerPrimary`SELECT 1`;
  for (let count = 0; count < 20; count += 1) await sql`INSERT INTO written VALUES (2)`;
  const other = openDatabase(database.url, { max: 1 });
  expect(await readPort(other)).toBe(standby.port);
  const [written] = await formerPrimary`SELECT count(*)::int AS count FROM written WHERE id = 2`;
  expect(written?.count).toBe(0);
  await Promise.all([other.end(), formerPrimary.end()]);
});

test('a promoted standby is used even if it responds slowly, and the former primary gets no writes', async () => {
  const { primary, standby } = database;
  await sql`CREATE TABLE written (id int)`;
  await waitForReplication();
  // Delay the standby's replies for longer than a search that has found a primary waits for the other
  // servers.
  const proxy = await startSlowProxy({ port: standby.port, delayMs: 300 });
  const url = database.url.replace(`:${standby.port}/`, `:${proxy.port}/`);
  const distant = openDatabase(url, { max: 2 });
  const distantWatch = watchPrimary(url, silentLog, { intervalMs: 100 });
  expect(await readPort(distant)).toBe(primary.port);
  // After the promotion, the former primary has not noticed it and still accepts writes.
  await standby.promote();
  await vi.waitFor(async () => expect(await readPort(distant)).toBe(standby.port), {
    timeout: recoveryTimeoutMs,
    interval: 20,
  });
  for (let count = 0; count < 5; count += 1) await distant`INSERT INTO written VALUES (3)`;
  const formerPrimary = openDatabase(database.urlOf(primary), { max: 1 });
  const [written] = await formerPrimary`SELECT count(*)::int AS count FROM written WHERE id = 3`;
  expect(written?.count).toBe(0);
  distantWatch.stop();
  await Promise.all([distant.end({ timeout: 1 }), formerPrimary.end()]);
  await proxy.close();
}, 30_000);

test('a restarted former primary is not used, even if nothing watches the primary', async () => {
  watch.stop();
  const { primary, standby } = database;
  expect(await readPort()).toBe(primary.port);
  primary.signal('SIGKILL');
  await standby.promote();
  await primary.start();
  await waitForPrimary(standby.port);
});

test('unreachable servers in the URL are logged in one line each, and the others are used', async () => {
  const { primary, standby, url } = database;
  const lines: string[] = [];
  const record = (line: unknown) => void (typeof line === 'string' && lines.push(line));
  const log = { ...silentLog, info: record, warn: record } as unknown as Log;
  const unusedPort = await findFreePort();
  const partly = url.replace('/postgres?', `,127.0.0.1:${unusedPort},nowhere.invalid/postgres?`);
  const other = openDatabase(partly, { max: 1 });
  expect(await readPort(other)).toBe(primary.port);
  const partlyWatch = watchPrimary(partly, log, { intervalMs: 20 });
  const unreachable = [
    `the database server 127.0.0.1:${unusedPort} cannot be used (ECONNREFUSED)`,
    expect.stringMatching(
      /^the database server nowhere\.invalid:5432 cannot be used \((ENOTFOUND|EAI_AGAIN)\)$/,
    ),
  ];
  await vi.waitFor(() => expect(lines.toSorted()).toEqual(unreachable), { timeout: recoveryTimeoutMs });
  standby.signal('SIGKILL');
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(new RegExp(`${standby.port} cannot be used`)), {
    timeout: recoveryTimeoutMs,
  });
  await standby.start();
  const again = `the database server 127.0.0.1:${standby.port} can be used again`;
  await vi.waitFor(() => expect(lines.at(-1)).toBe(again), { timeout: recoveryTimeoutMs });
  expect(await readPort(other)).toBe(primary.port);
  partlyWatch.stop();
  await other.end({ timeout: 1 });
});

test('reports a wrong password, and lists the servers in one line if none of them is a primary', async () => {
  const { primary } = database;
  const wrong = openDatabase(database.url.replace(/:[^:@]+@/, ':wrong@'), { max: 1 });
  await expect(wrong`SELECT 1`).rejects.toThrow(/password authentication failed/);
  await wrong.end();
  primary.signal('SIGKILL');
  await vi.waitFor(() => expect(sql`SELECT 1`).rejects.toThrow(/none of the servers is a primary/), {
    timeout: recoveryTimeoutMs,
  });
  await expect(assertUsableDatabase(sql, database.url)).rejects.toThrow(
    /^Cannot use PostgreSQL at QUAD_DATABASE_URL [\d.:,]+\/postgres: none of the servers is a primary: 127\.0\.0\.1:\d+ cannot be used \(ECONNREFUSED\), 127\.0\.0\.1:\d+ is read-only$/,
  );
});
