import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { waitWithTimeout } from '#server/testing/wait-with-timeout.ts';
import { openDatabase, type Sql } from './database.ts';
import { assertSchemaNotNewer, migrateDatabase } from './migrations.ts';

describe('migrateDatabase', () => {
  let database: TestDatabase;
  let sql: Sql;
  let folder: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    sql = openDatabase(database.url, { max: 2 });
    await sql`drop table if exists schema_migrations`;
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    writeFileSync(
      join(folder, '0001_counter.sql'),
      'create table counter (value int); insert into counter values (1);',
    );
    writeFileSync(
      join(folder, '0002_more.sql'),
      'select pg_sleep(0.05); update counter set value = value + 1;',
    );
  });

  afterEach(async () => {
    await sql.end();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const migrate = () => migrateDatabase({ databaseUrl: database.url, log: silentLog, folder });

  test('runs migrations in order and only once', async () => {
    expect(await migrate()).toEqual(['0001_counter', '0002_more']);
    expect(await migrate()).toEqual([]);
    expect([...(await sql`select value from counter`)]).toEqual([{ value: 2 }]);
  });

  test('runs each migration once when processes start concurrently', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, migrate));
    expect(runs.flat()).toEqual(['0001_counter', '0002_more']);
    expect([...(await sql`select value from counter`)]).toEqual([{ value: 2 }]);
  });

  test('promise 43: a migration that waits for a lock does not block others and runs when the lock is free', async () => {
    await migrate();
    writeFileSync(join(folder, '0003_quick.sql'), 'create table quick (value int);');
    writeFileSync(join(folder, '0004_color.sql'), 'alter table counter add column color text;');
    const reader = await sql.reserve();
    await reader`begin`;
    await reader`select value from counter`;
    const migrating = migrate();
    const other = openDatabase(database.url, { max: 1 });
    // Wait until the migration is blocked by the reader: other queries now queue behind its lock
    // request.
    await expect
      .poll(() => other`select from pg_locks where relation = 'counter'::regclass and not granted`)
      .not.toEqual([]);
    expect([...(await waitWithTimeout(3_000, other`select value from counter`))]).toEqual([{ value: 2 }]);
    await reader`commit`;
    reader.release();
    expect(await migrating).toEqual(['0003_quick', '0004_color']);
    expect([...(await other`select color from counter`)]).toEqual([{ color: null }]);
    await other.end();
  });

  test('keeps earlier migrations when one fails, rolls the failing one back completely and names it', async () => {
    writeFileSync(
      join(folder, '0003_broken.sql'),
      'update counter set value = 100; select nothing_like_this;',
    );
    await expect(migrate()).rejects.toThrow(/0003_broken failed[\s\S]*nothing_like_this/);
    expect([...(await sql`select value from counter`)]).toEqual([{ value: 2 }]);
    writeFileSync(join(folder, '0003_broken.sql'), 'update counter set value = 100;');
    expect(await migrate()).toEqual(['0003_broken']);
  });

  test('promise 51: a failing migration is reported in one line with its file, line and reason', async () => {
    await migrate();
    writeFileSync(join(folder, '0003_broken.sql'), 'select 1;\n\nupdate nothing_like_this\nset value = 1;');
    await expect(migrate()).rejects.toThrow(
      /^The database could not be migrated: 0003_broken failed in line 3: relation "nothing_like_this" does not exist$/,
    );
  });

  test('promise 51: an older version refuses a newer schema with a one-line message', async () => {
    await migrate();
    await expect(assertSchemaNotNewer(sql, folder)).resolves.toBeUndefined();
    rmSync(join(folder, '0002_more.sql'));
    await expect(assertSchemaNotNewer(sql, folder)).rejects.toThrow(
      /^The database has the schema of a newer version \(0002_more\): start that version, .*$/,
    );
  });

  test('refuses a file inserted before migrations that already ran', async () => {
    await migrate();
    writeFileSync(join(folder, '0001_a_latecomer.sql'), 'select 1;');
    await expect(migrate()).rejects.toThrow('could not be migrated');
  });
});
