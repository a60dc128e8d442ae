import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { silentLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrations.ts';
import { stopPostmaster } from '#server/platform/postmaster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the run's PostgreSQL, in its maintenance database. */
    databaseServer: string;
    /** Name of the migrated, empty database that test databases are copied from. */
    databaseTemplate: string;
  }
}

const folderPrefix = 'quad-test-';
const templateName = 'quad_template';

/** One PostgreSQL for the whole run, without the care for power cuts, and a migrated database to copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), `${folderPrefix}${process.pid}-`));
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

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Runs that were killed leave a server and its files behind; the next run clears them away. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((it) => it.startsWith(folderPrefix))) {
    const pid = Number(name.slice(folderPrefix.length).split('-')[0]);
    if (isRunning(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      await stopPostmaster(join(folder, 'database', 'cluster'));
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's run: theirs to clear.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
