import { accessSync, constants, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { stopPostmaster } from '#server/platform/postgres/postmaster.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';
import { isProcessAlive } from '#server/platform/process/is-process-alive.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { testTables } from './tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test run's PostgreSQL server, for the database `postgres`. */
    databaseServer: string;
    /** Name of the migrated database without rows that each test database is copied from. */
    databaseTemplate: string;
  }
}

const folderPrefix = 'quad-test-';
const inMemoryFolder = '/dev/shm';
const requiredMemoryBytes = 2 * 1024 ** 3;
const templateDatabaseName = 'quad_template';

/** Starts one PostgreSQL server for the test run, without crash safety, and creates the migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeStaleTestRuns();
  const dataDir = mkdtempSync(join(chooseParentFolder(), `${folderPrefix}${process.pid}-`));
  const database = await startEmbeddedDatabase({
    dataDir,
    log: silentLog,
    settings: {
      // Some tests put a proxy in front of it.
      listen_addresses: '127.0.0.1',
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      autovacuum: 'off',
      max_connections: '400',
    },
  });
  const server = replaceDatabaseName(database.url, 'postgres');
  const sql = openDatabase(server, { max: 1 });
  await sql`create database ${identifier(templateDatabaseName)}`;
  await sql.end();
  await migrateDatabase({
    databaseUrl: replaceDatabaseName(database.url, templateDatabaseName),
    log: silentLog,
  });
  const template = openDatabase(replaceDatabaseName(database.url, templateDatabaseName), { max: 1 });
  await template.query(testTables);
  await template.end();
  project.provide('databaseServer', server);
  project.provide('databaseTemplate', templateDatabaseName);
  return async () => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

const replaceDatabaseName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/**
 * Returns a folder in memory if possible. Creating a database writes 300 small files, which takes 10 ms in
 * memory and 250 ms on a disk.
 */
const chooseParentFolder = (): string => {
  try {
    accessSync(inMemoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemoryFolder);
    if (bavail * bsize > requiredMemoryBytes) return inMemoryFolder;
  } catch {
    // Ignore the error: this system has no folder in memory.
  }
  return realpathSync(tmpdir());
};

/** Cleans up after test runs that were killed: stops their PostgreSQL servers and deletes their folders. */
const removeStaleTestRuns = async (): Promise<void> => {
  const folder = chooseParentFolder();
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(folderPrefix))) {
    const pid = Number(name.slice(folderPrefix.length).split('-')[0]);
    if (isProcessAlive(pid)) continue;
    const leftover = join(folder, name);
    try {
      await stopPostmaster(join(leftover, 'database', 'cluster'));
      rmSync(leftover, { recursive: true, force: true });
    } catch {
      // Ignore a folder that belongs to another user's test run, because this process may not delete it.
    }
  }
};
