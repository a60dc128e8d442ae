import { accessSync, constants, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { stopPostmaster } from '#server/platform/postgres/postmaster.ts';
import { isProcessAlive } from '#server/platform/process/is-process-alive.ts';
import { silentLog } from '#server/platform/process/log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's PostgreSQL, in its maintenance database. */
    databaseServer: string;
    /** Name of the migrated, empty database that test databases are copied from. */
    databaseTemplate: string;
  }
}

const folderPrefix = 'quad-test-';
const memoryFolder = '/dev/shm';
const memoryNeeded = 2 * 1024 ** 3;
const templateName = 'quad_template';

/** Starts one PostgreSQL without crash safety for the whole run and creates the migrated template database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const dataDir = mkdtempSync(join(chooseFolder(), `${folderPrefix}${process.pid}-`));
  const database = await startEmbeddedDatabase({
    dataDir,
    log: silentLog,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      autovacuum: 'off',
      max_connections: '400',
    },
  });
  const server = withDatabase(database.url, 'postgres');
  const sql = postgres(server, { max: 1, onnotice: () => undefined });
  await sql`create database ${sql(templateName)}`;
  await sql.end();
  await migrateDatabase({ databaseUrl: withDatabase(database.url, templateName), log: silentLog });
  project.provide('databaseServer', server);
  project.provide('databaseTemplate', templateName);
  return async () => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/** Prefers memory: creating a database writes three hundred small files, which takes 10 ms there and 250 ms on a disk. */
const chooseFolder = (): string => {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize > memoryNeeded) return memoryFolder;
  } catch {
    // This system has no such folder.
  }
  return realpathSync(tmpdir());
};

/** Stops servers and removes files that killed runs left behind. */
const removeLeftovers = async (): Promise<void> => {
  const folder = chooseFolder();
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(folderPrefix))) {
    const pid = Number(name.slice(folderPrefix.length).split('-')[0]);
    if (isProcessAlive(pid)) continue;
    const leftover = join(folder, name);
    try {
      await stopPostmaster(join(leftover, 'database', 'cluster'));
      rmSync(leftover, { recursive: true, force: true });
    } catch {
      // The run belongs to another user.
    }
  }
};
