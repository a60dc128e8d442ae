import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { BusMessage } from '#contract/realtime.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import { startTestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '#server/testing/replicated-database.ts';
import { openDatabase, type Queryable, type Sql } from './database.ts';
import { migrateDatabase } from './migrations.ts';
import { openReadReplicas } from './read-replicas.ts';
import { openSearchDatabase } from './search-database.ts';

let database: ReplicatedDatabase;
let sql: Sql;
let standbySql: Sql;
beforeAll(async () => {
  database = await startReplicatedDatabase();
  const { url, primary, standby, urlOf } = database;
  await migrateDatabase({ databaseUrl: url, log: silentLog });
  sql = openDatabase(urlOf(primary));
  standbySql = openDatabase(urlOf(standby), { max: 1 });
});
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});
afterAll(async () => {
  await Promise.all([sql.end({ timeout: 1 }), standbySql.end({ timeout: 1 })]);
  await database.close();
});

const pageChange: BusMessage = { kind: 'pages_changed', listing_ids: [], user_ids: [], categories: [] };
const readPort = async (queryable: Queryable): Promise<number> => {
  const [row] = await queryable<{ port: number }[]>`SELECT current_setting('port')::int AS port`;
  return row?.port ?? 0;
};

/** Opens read replicas whose automatic probes are off, so that tests decide when to probe. */
const openReplicas = (
  urls = [database.urlOf(database.standby)],
  // The default timeout of probes is long, because a busy machine may need seconds to refuse a password; the
  // test of a frozen server passes a short one.
  { probeTimeoutMs = 15_000 } = {},
) => {
  const lines: string[] = [];
  const record = (line: unknown) => lines.push(String(line));
  const log = { ...silentLog, info: record, warn: record } as unknown as Log;
  const bus = createInProcessBus();
  const clock = createTestClock();
  const served: string[] = [];
  const search = openSearchDatabase(database.urlOf(database.primary), { max: 2 });
  const replicas = openReadReplicas({
    ...{ urls, sql, bus, clock, log, intervalMs: 3_600_000, probeTimeoutMs },
    runOnPrimary: search.run,
    onSearch: (server) => served.push(server),
  });
  cleanups.push(
    () => search.sql.end({ timeout: 1 }),
    () => replicas.close(),
  );
  const probeAndReadPort = async (): Promise<number> => {
    await replicas.probe();
    return replicas.run(readPort);
  };
  const waitForStandby = () => expect.poll(probeAndReadPort, { interval: 20 }).toBe(database.standby.port);
  return { ...{ replicas, lines, bus, clock, served, waitForStandby } };
};

const pauseReplay = async (): Promise<void> => {
  await standbySql`SELECT pg_wal_replay_pause()`;
  await expect
    .poll(() => standbySql`SELECT pg_get_wal_replay_pause_state() AS state`)
    .toEqual([{ state: 'paused' }]);
  cleanups.push(async () => standbySql`SELECT pg_wal_replay_resume()`);
};
const resumeReplay = () => standbySql`SELECT pg_wal_replay_resume()`;

test('searches run on the standby, with their own settings, once it is ready', async () => {
  const { replicas, served, lines, waitForStandby } = openReplicas();
  expect(await replicas.run(readPort)).toBe(database.primary.port);
  await waitForStandby();
  const readSettings = async (tx: Queryable) =>
    tx`SELECT current_setting('work_mem') AS memory, current_setting('jit') AS jit`;
  expect(await replicas.run(readSettings)).toEqual([{ memory: '32MB', jit: 'off' }]);
  expect(served).toContain('standby');
  expect(served[0]).toBe('primary');
  expect(lines).toContainEqual(
    `searches use the standby 127.0.0.1:${database.standby.port}/postgres of QUAD_DATABASE_READ_URL`,
  );
});

test('a standby that lacks an announced change serves no searches until it has caught up', async () => {
  const { replicas, bus, waitForStandby } = openReplicas();
  await sql`CREATE TABLE changes (id int)`;
  await waitForStandby();
  await pauseReplay();
  const count = async (tx: Queryable) => {
    const [row] = await tx<{ count: number; port: number }[]>`
      SELECT count(*)::int AS count, current_setting('port')::int AS port FROM changes`;
    return row;
  };
  expect(await replicas.run(count)).toEqual({ count: 0, port: database.standby.port });
  await sql`INSERT INTO changes VALUES (1)`;
  await bus.publish(pageChange);
  expect(await replicas.run(count)).toEqual({ count: 1, port: database.primary.port });
  await replicas.probe();
  expect(await replicas.run(count)).toEqual({ count: 1, port: database.primary.port });
  await resumeReplay();
  await waitForStandby();
  expect(await replicas.run(count)).toEqual({ count: 1, port: database.standby.port });
});

test('a new listing is found by an immediate search', async () => {
  const { replicas, bus, served, waitForStandby } = openReplicas();
  const testApp = await startTestApp({ replace: { sql, search: replicas.run, bus } });
  cleanups.push(testApp.close);
  const seller = await testApp.signIn();
  await waitForStandby();
  for (let count = 1; count <= 15; count += 1) {
    await submitListingForm(testApp, seller, { title: `Corduroy armchair number ${count}` });
    const found = await testApp.server.inject({ url: '/rest/v1/listings?q=corduroy' });
    expect(found.json().total).toBe(count);
    await vi.waitFor(
      async () => {
        const suggested = await testApp.server.inject({ url: '/rest/v1/listings?q=armchair' });
        expect(suggested.json().total).toBe(count);
        expect(served.at(-1)).toBe('standby');
      },
      { timeout: 20_000, interval: 1 },
    );
  }
}, 60_000);

test('a standby more than five seconds behind is logged in one line and not used until it has caught up', async () => {
  const { replicas, clock, lines, waitForStandby } = openReplicas();
  await waitForStandby();
  await pauseReplay();
  clock.advance(4);
  await replicas.probe();
  expect(await replicas.run(readPort)).toBe(database.standby.port);
  clock.advance(2);
  // Searches must move to the primary immediately, without waiting for the next probe.
  expect(await replicas.run(readPort)).toBe(database.primary.port);
  for (let count = 0; count < 3; count += 1) await replicas.probe();
  expect(await replicas.run(readPort)).toBe(database.primary.port);
  expect(lines.filter((line) => line.includes('behind'))).toEqual([
    `searches do not use 127.0.0.1:${database.standby.port}/postgres of QUAD_DATABASE_READ_URL: it is more than 5 seconds behind the primary`,
  ]);
  await resumeReplay();
  await waitForStandby();
});

test('a changed wall clock does not count as replication lag', async () => {
  const { replicas, clock, waitForStandby } = openReplicas();
  await waitForStandby();
  clock.set(new Date('2036-01-01T00:00:00Z'));
  await replicas.probe();
  expect(await replicas.run(readPort)).toBe(database.standby.port);
});

test('a primary, another database, an unreachable host and a wrong password are logged and not used', async () => {
  const { primary, standby, urlOf } = database;
  await sql`CREATE DATABASE elsewhere`;
  cleanups.push(async () => sql`DROP DATABASE elsewhere WITH (FORCE)`);
  const unusedPort = await findFreePort();
  const elsewhere = urlOf(standby).replace(/postgres$/, 'elsewhere');
  const replicas = openReplicas([
    urlOf(primary),
    elsewhere,
    urlOf(standby).replace(`:${standby.port}`, `:${unusedPort}`),
    urlOf(standby).replace(/:[^:@]+@/, ':wrong@'),
    urlOf(standby),
  ]);
  await replicas.waitForStandby();
  const at = (port: number, name = 'postgres') =>
    `searches do not use 127.0.0.1:${port}/${name} of QUAD_DATABASE_READ_URL: it`;
  const probe = async () => {
    await replicas.replicas.probe();
    return replicas.lines.toSorted();
  };
  await expect
    .poll(probe)
    .toEqual(
      [
        `${at(primary.port)} is not a standby: it accepts writes`,
        `${at(standby.port, 'elsewhere')} is not a standby of this database`,
        `${at(unusedPort)} cannot be used (ECONNREFUSED)`,
        `${at(standby.port)} cannot be used: password authentication failed for user "quad"`,
        `searches use the standby 127.0.0.1:${standby.port}/postgres of QUAD_DATABASE_READ_URL`,
      ].toSorted(),
    );
  for (let count = 0; count < 5; count += 1) {
    expect(await replicas.replicas.run(readPort)).toBe(standby.port);
    await replicas.replicas.probe();
  }
  expect(replicas.lines.slice(5)).toEqual([]);
});

test('a search on a standby that is frozen or killed is served by the primary', async () => {
  const { replicas, waitForStandby } = openReplicas(undefined, { probeTimeoutMs: 2_000 });
  await waitForStandby();
  database.standby.signal('SIGSTOP');
  const waiting = replicas.run(readPort);
  await replicas.probe();
  expect(await waiting).toBe(database.primary.port);
  database.standby.signal('SIGCONT');
  await waitForStandby();
  database.standby.signal('SIGKILL');
  expect(await replicas.run(readPort)).toBe(database.primary.port);
  await database.standby.start();
  await waitForStandby();
});

test('a promoted standby is no longer used as a standby, and searches run on the primary', async () => {
  const { replicas, lines, waitForStandby } = openReplicas();
  await waitForStandby();
  await database.standby.promote();
  await expect
    .poll(() => standbySql`SELECT pg_is_in_recovery() AS is_standby`)
    .toEqual([{ is_standby: false }]);
  expect(await replicas.run(readPort)).toBe(database.primary.port);
  await replicas.probe();
  expect(lines.at(-1)).toMatch(/is not a standby: it accepts writes$/);
});
