import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBackup } from '#server/features/backup/backup.ts';
import { restoreBackup } from '#server/features/backup/restore.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { createS3FileStore } from '#server/platform/files/files-s3.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { loadSecrets, type Secrets } from '#server/platform/secrets.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { startS3Store } from './s3-store.ts';

/** The database, file store and secrets of an installation, and functions that back it up and restore it. */
export interface BackupFixtures {
  sql: Sql;
  databaseUrl: string;
  files: FileStore;
  dataDir: string;
  secrets(): Promise<Secrets>;
  backup(folder: string): Promise<unknown>;
  restore(folder: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Creates an installation. `migrations` is the number of migrations to apply (default all); 0 leaves the database empty. */
export const openBackupFixtures = async (
  options: { store?: 'disk' | 's3'; migrations?: number } = {},
): Promise<BackupFixtures> => {
  const { store = 'disk', migrations = Number.POSITIVE_INFINITY } = options;
  const database = await createTestDatabase({ migrated: false });
  const databaseUrl = database.url;
  if (migrations > 0) await migrateDatabase({ databaseUrl, log: silentLog, upTo: Math.min(migrations, 999) });
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-backup-test-'));
  const sql = openDatabase(databaseUrl, { max: 6 });
  const s3 = store === 's3' ? await startS3Store(join(dataDir, 'bucket')) : undefined;
  const s3Files = s3 && createS3FileStore(s3.settings);
  const files = s3Files ?? createDiskFileStore({ root: join(dataDir, 'files') });
  const secretsFile = join(dataDir, 'secrets.json');
  return {
    sql,
    databaseUrl,
    files,
    dataDir,
    secrets: () => loadSecrets(dataDir),
    backup: (folder) => makeBackup({ sql, files, clock: createTestClock(), secretsFile }, folder),
    restore: (folder) => restoreBackup({ databaseUrl, sql, files, secretsFile }, folder),
    close: async () => {
      await sql.end();
      await s3Files?.close();
      await s3?.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
