import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { startTestApp } from '#server/testing/app.ts';
import { createConversationClient, getMessageTexts } from '#server/testing/conversations.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '#server/testing/pgbouncer.ts';
import { type DatabaseNode, startReplicatedDatabase } from '#server/testing/replicated-database.ts';
import { isUnavailableError, openDatabase, type Queryable, type Sql } from './database.ts';
import { assertSameDatabase, assertUsableDatabase } from './database-check.ts';
import { migrateDatabase } from './migrations.ts';
import { hasPooler, isTransactionPooler } from './pooler.ts';
import { watchPrimary } from './primary-watch.ts';
import { openSearchDatabase } from './search-database.ts';

const getError = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a direct connection is not mistaken for a pooled one', async () => {
  const sql = openDatabase(database.url, { max: 1 });
  expect(await hasPooler(sql)).toBe(false);
  expect(await isTransactionPooler(database.url)).toBe(false);
  await sql.end();
});

describe.skipIf(!hasPgBouncer)('PgBouncer', () => {
  const openThrough = async (mode: 'session' | 'transaction', url: string) => {
    const pooler: TestPgBouncer = await startPgBouncer(url, { mode });
    const sql = openDatabase(pooler.url, { max: 6, prepare: mode === 'session' });
    const search = openSearchDatabase(pooler.url, { max: 2, hasPooler: true });
    return {
      ...{ pooler, sql, search },
      close: async () => {
        await Promise.all([sql.end({ timeout: 1 }), search.sql.end({ timeout: 1 })]);
        await pooler.stop();
      },
    };
  };

  test.each(['session', 'transaction'] as const)('%s mode is recognized', async (mode) => {
    const { sql, pooler, close } = await openThrough(mode, database.url);
    expect(await hasPooler(sql)).toBe(true);
    expect(await isTransactionPooler(pooler.url)).toBe(mode === 'transaction');
    await close();
  });

  test.each(['session', 'transaction'] as const)(
    'in %s mode, concurrent posts, searches and messages succeed with rate limits on',
    async (mode) => {
      const { sql, search, close } = await openThrough(mode, database.url);
      const testApp = await startTestApp({
        replace: { sql, search: search.run, limits: createRateLimits(sql) },
      });
      const [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
      const posted = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          submitListingForm(testApp, seller, { title: `Bookcase for ${mode} number ${index}` }),
        ),
      );
      expect(posted.map(({ status }) => status)).toEqual(posted.map(() => 200));
      const found = await Promise.all(
        Array.from({ length: 8 }, () => testApp.server.inject({ url: `/rest/v1/listings?q=for+${mode}` })),
      );
      expect(found.map((response) => response.json().total)).toEqual(found.map(() => 8));
      const client = createConversationClient({ ...testApp, sql });
      const { id } = await client.begin(buyer, seller);
      const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
      await Promise.all(texts.map((text) => client.send(buyer, id, text)));
      const { body } = await client.ask(buyer, 'GET', client.at(id, '/messages'));
      expect(getMessageTexts(body.items).toSorted()).toEqual(texts.toSorted());
      await testApp.close();
      await close();
    },
  );

  test('settings of a search apply only within its transaction', async () => {
    const { search, close } = await openThrough('transaction', database.url);
    const readSettings = async (run: Sql | typeof search.run) => {
      const read = (sql: Queryable) =>
        sql.query("SELECT current_setting('work_mem') AS memory, current_setting('jit') AS jit");
      const [row] =
        run === search.run ? await search.run(async (tx) => await read(tx)) : await read(run as Sql);
      return row;
    };
    const before = await readSettings(search.sql);
    expect(await readSettings(search.run)).toEqual({ memory: '32MB', jit: 'off' });
    expect(await readSettings(search.sql)).toEqual(before);
    await expect(search.run((tx) => tx`CREATE TABLE written (id int)`)).rejects.toThrow(/read-only/);
    await close();
  });

  test('session mode supports LISTEN and migrations', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const { sql, pooler, close } = await openThrough('session', empty.url);
    await assertUsableDatabase(sql, pooler.url);
    const folder = mkdtempSync(join(tmpdir(), 'quad-migrations-'));
    writeFileSync(
      join(folder, '0001_read.sql'),
      "CREATE TABLE read AS SELECT current_setting('lock_timeout')",
    );
    expect(await migrateDatabase({ databaseUrl: pooler.url, log: silentLog, folder })).toEqual(['0001_read']);
    rmSync(folder, { recursive: true });
    expect(await sql`SELECT * FROM read`).toMatchObject([{ current_setting: '500ms' }]);
    const buses = [await createPostgresBus(sql, silentLog), await createPostgresBus(sql, silentLog)];
    const received = new Promise((resolveMessage) => buses[1]?.subscribe(resolveMessage));
    await buses[0]?.publish({ kind: 'announcement_changed' });
    expect(await received).toEqual({ kind: 'announcement_changed' });
    await Promise.all(buses.map((bus) => bus.close()));
    await close();
    await empty.drop();
  });

  test('a pooler whose PostgreSQL was killed counts as an unavailable database', async () => {
    const { primary, urlOf, close: closeDatabase } = await startReplicatedDatabase();
    const { sql, close } = await openThrough('transaction', urlOf(primary));
    await sql`SELECT 1`;
    const running = getError(sql`SELECT pg_sleep(30)`);
    const observer = openDatabase(urlOf(primary), { max: 1 });
    await expect
      .poll(() => observer`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)
      .toHaveLength(1);
    primary.signal('SIGKILL');
    for (const error of [await running, await getError(sql`SELECT 1`)]) {
      expect(error).toBeInstanceOf(Error);
      expect(isUnavailableError(error)).toBe(true);
    }
    await Promise.all([observer.end({ timeout: 1 }), close()]);
    await closeDatabase();
  });

  test('behind a pooler on each server, the primary is found, also after a failover', async () => {
    const { primary, standby, urlOf, close: closeDatabase } = await startReplicatedDatabase();
    const poolers = [
      await startPgBouncer(urlOf(primary), { mode: 'transaction' }),
      await startPgBouncer(urlOf(standby), { mode: 'transaction' }),
    ];
    const [first, second] = poolers.map(({ url }) => new URL(url));
    const url = `postgres://${first?.username}:${first?.password}@${first?.host},${second?.host}/postgres?target_session_attrs=read-write`;
    const sql = openDatabase(url, { max: 2, prepare: false });
    const watch = watchPrimary(url, silentLog, { intervalMs: 100 });
    const expectServer = async ({ port }: DatabaseNode) =>
      expect(await sql`SELECT current_setting('port')::int AS port`).toMatchObject([{ port }]);
    await expectServer(primary);
    primary.signal('SIGKILL');
    await standby.promote();
    await vi.waitFor(() => expectServer(standby), { timeout: 10_000, interval: 50 });
    watch.stop();
    await sql.end({ timeout: 1 });
    await Promise.all(poolers.map((pooler) => pooler.stop()));
    await closeDatabase();
  });

  test('transaction mode is refused with a one-line message without a direct URL to the same database', async () => {
    const { sql, pooler, close } = await openThrough('transaction', database.url);
    const [, place] = pooler.url.split('@');
    await expect(assertUsableDatabase(sql, pooler.url)).rejects.toThrow(
      `Cannot use PostgreSQL at QUAD_DATABASE_URL ${place}: it is a connection pooler in transaction mode; name the database behind it with QUAD_DATABASE_DIRECT_URL too`,
    );
    await expect(
      assertUsableDatabase(sql, pooler.url, { setting: 'QUAD_DATABASE_DIRECT_URL' }),
    ).rejects.toThrow(
      `Cannot use PostgreSQL at QUAD_DATABASE_DIRECT_URL ${place}: it is a connection pooler in transaction mode, and must be the database behind it`,
    );
    await assertUsableDatabase(sql, pooler.url, { allowsTransactionPooler: true });
    const direct = openDatabase(database.url, { max: 1 });
    await assertSameDatabase(sql, direct);
    const other = await createTestDatabase();
    const elsewhere = openDatabase(other.url, { max: 1 });
    await expect(assertSameDatabase(sql, elsewhere)).rejects.toThrow(
      'QUAD_DATABASE_URL and QUAD_DATABASE_DIRECT_URL lead to different databases',
    );
    await Promise.all([direct.end(), elsewhere.end()]);
    await close();
    await other.drop();
  });
});
