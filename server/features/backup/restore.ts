import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { storageBuckets } from '#contract/photos.ts';
import { skipDueUnreadMail } from '#server/features/conversations/public.ts';
import { skipDueNotices } from '#server/features/deals/public.ts';
import { quotedPhotoFolder } from '#server/features/moderation/public.ts';
import { skipDueNotificationEmails } from '#server/features/notifications/public.ts';
import { removeAllPushSubscriptions, skipDuePushes } from '#server/features/push/public.ts';
import { skipSavedListingAlerts } from '#server/features/saved-listings/public.ts';
import { skipDueAlerts } from '#server/features/saved-searches/public.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import {
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import { listMigrations, migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { computeFileDigest, createDigestStream } from './digest.ts';
import {
  BackupError,
  type BackupFileEntry,
  type BackupTable,
  backupPaths,
  buildRowsPath,
  type Manifest,
  parseFileEntry,
  readManifest,
} from './manifest.ts';
import * as repository from './repository.ts';

/** The empty installation into which a backup is restored. */
export interface RestoreTarget {
  databaseUrl: string;
  /** A connection pool for the database at `databaseUrl`. */
  sql: Sql;
  files: FileStore;
  /** Path of QUAD_DATA_DIR/secrets.json. */
  secretsFile: string;
  /** Whether this is a copy to try the backup, which keeps no push subscriptions, so that it notifies nobody. */
  isTrial?: boolean;
}

/** Top-level folders of the file store; all must be empty before a restore. */
const fileFolders = [...storageBuckets, 'forms', quotedPhotoFolder];

async function* readFileList(folder: string): AsyncGenerator<BackupFileEntry> {
  const lines = createInterface({
    input: createReadStream(join(folder, backupPaths.fileList)),
    crlfDelay: Infinity,
  });
  for await (const line of lines) yield parseFileEntry(line);
}

const assertDigest = async (path: string, sha256: string, name: string): Promise<void> => {
  if ((await computeFileDigest(path)) !== sha256) {
    throw new BackupError(`The backup is damaged: ${name} is not what was written. Nothing was restored.`);
  }
};

/**
 * Verifies every checksum of a backup and returns its manifest; throws a BackupError when it is
 * incomplete or damaged.
 */
export const verifyBackup = async (folder: string): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  for (const table of manifest.tables) {
    await assertDigest(join(folder, buildRowsPath(table)), table.sha256, buildRowsPath(table));
  }
  await assertDigest(join(folder, backupPaths.secrets), manifest.secrets.sha256, backupPaths.secrets);
  await assertDigest(join(folder, backupPaths.fileList), manifest.files.sha256, backupPaths.fileList);
  for await (const { key, sha256 } of readFileList(folder)) {
    await assertDigest(join(folder, backupPaths.files, key), sha256, `${backupPaths.files}/${key}`);
  }
  return manifest;
};

const assertKnownSchema = (manifest: Manifest, known: readonly string[]): void => {
  if (manifest.migrations.every((name, index) => name === known[index])) return;
  const newest = manifest.migrations.at(-1);
  throw new BackupError(
    `The backup has the schema ${newest}, which this version does not know; restore it with the version that made it.`,
  );
};

const assertEmptyTarget = async ({ sql, files, secretsFile }: RestoreTarget): Promise<void> => {
  if (await repository.hasTables(sql)) {
    throw new BackupError('The database is not empty: a backup is restored into an empty one only.');
  }
  for (const folder of fileFolders) {
    for await (const { key } of files.list(folder)) {
      throw new BackupError(`The store of files is not empty: it holds ${key}.`);
    }
  }
  if (existsSync(secretsFile)) {
    throw new BackupError(
      `${secretsFile} exists already: a backup is restored into an empty QUAD_DATA_DIR only.`,
    );
  }
};

/** Stores the files of a backup, and adds the key of each to `stored` before. */
const restoreFiles = async (files: FileStore, folder: string, stored: string[]): Promise<void> => {
  for await (const { key, contentType } of readFileList(folder)) {
    stored.push(key);
    const result = await files.put(key, { path: join(folder, backupPaths.files, key) }, { contentType });
    if (result === 'exists') {
      stored.pop();
      throw new BackupError(`The store of files is not empty: it holds ${key}.`);
    }
  }
};

const restoreRows = async (tx: Transaction, table: BackupTable, folder: string): Promise<void> => {
  const content = createDigestStream();
  await pipeline(
    createReadStream(join(folder, buildRowsPath(table))),
    createGunzip(),
    content.stream,
    repository.openRowWriter(tx, table),
  );
  await repository.advanceSequences(tx, table);
  if (content.seen.lines !== table.rows) {
    throw new BackupError(`The backup is damaged: ${buildRowsPath(table)} does not hold ${table.rows} rows.`);
  }
};

/** Marks everything as sent that was due before the backup is restored, so that the server does not send it late. */
const skipDueWork = async (sql: Queryable): Promise<void> => {
  await skipDueUnreadMail(sql);
  await skipDueNotices(sql);
  await skipDueNotificationEmails(sql);
  await skipDuePushes(sql);
  await skipSavedListingAlerts(sql);
  await skipDueAlerts(sql);
};

/**
 * Restores a backup into an empty database, an empty file store and an empty QUAD_DATA_DIR. For a backup
 * of an older schema, it first creates that schema, then loads the rows, then runs the later
 * migrations. Files are restored before the rows that reference them. When any step fails,
 * everything is rolled back.
 */
export const restoreBackup = async (target: RestoreTarget, folder: string): Promise<Manifest> => {
  const manifest = await verifyBackup(folder);
  assertKnownSchema(manifest, listMigrations());
  await assertEmptyTarget(target);
  const { databaseUrl, sql, files, secretsFile } = target;
  const stored: string[] = [];
  try {
    await restoreFiles(files, folder, stored);
    await migrateDatabase({ databaseUrl, log: silentLog, upTo: manifest.migrations.length });
    await runInTransaction(sql, async (tx) => {
      for (const table of manifest.tables) await restoreRows(tx, table, folder);
    });
    await migrateDatabase({ databaseUrl, log: silentLog });
    await skipDueWork(sql);
    if (target.isTrial) await removeAllPushSubscriptions(sql);
    await repository.analyzeDatabase(sql);
    await mkdir(dirname(secretsFile), { recursive: true });
    await copyFile(join(folder, backupPaths.secrets), secretsFile);
  } catch (error) {
    await rm(secretsFile, { force: true });
    await repository.clearDatabase(sql);
    for (const key of stored) await files.delete(key);
    throw error;
  }
  return manifest;
};
