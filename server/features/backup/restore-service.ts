import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FileStore } from '#server/platform/files/files.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
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
} from './manifest-service.ts';
import * as repository from './repository.ts';

export interface RestoreTarget {
  sql: Sql;
  files: FileStore;
  /** Top-level folders of the file store; all must be empty before a restore. */
  fileFolders: string[];
  secretsFile: string;
  /** This version's migrations, in order. */
  migrations: string[];
  /** Runs the first `upTo` migrations, or all of them when `upTo` is omitted. */
  migrate(upTo?: number): Promise<unknown>;
  /** Callback that adjusts the restored rows before the server starts. */
  adjustRows(sql: Queryable): Promise<void>;
}

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

const assertEmptyTarget = async ({ sql, files, fileFolders, secretsFile }: RestoreTarget): Promise<void> => {
  if (await repository.hasTables(sql)) {
    throw new BackupError('The database is not empty: a backup is restored into an empty one only.');
  }
  for (const folder of fileFolders) {
    for await (const { key } of files.list(folder)) {
      throw new BackupError(`The store of files is not empty: it holds ${key}.`);
    }
  }
  if (existsSync(secretsFile)) {
    throw new BackupError(`${secretsFile} exists already: a backup is restored into an empty DATA_DIR only.`);
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

const restoreRows = async (tx: Queryable, table: BackupTable, folder: string): Promise<void> => {
  const content = createDigestStream();
  await pipeline(
    createReadStream(join(folder, buildRowsPath(table))),
    createGunzip(),
    content.stream,
    await repository.openRowWriter(tx, table),
  );
  await repository.advanceSequences(tx, table);
  if (content.seen.lines !== table.rows) {
    throw new BackupError(`The backup is damaged: ${buildRowsPath(table)} does not hold ${table.rows} rows.`);
  }
};

/**
 * Restores a backup into an empty database, an empty file store and an empty DATA_DIR. For a backup
 * of an older schema, it first creates that schema, then loads the rows, then runs the later
 * migrations. Files are restored before the rows that reference them. When any step fails,
 * everything is rolled back.
 */
export const restoreBackup = async (target: RestoreTarget, folder: string): Promise<Manifest> => {
  const manifest = await verifyBackup(folder);
  assertKnownSchema(manifest, target.migrations);
  await assertEmptyTarget(target);
  const { sql, files, secretsFile } = target;
  const stored: string[] = [];
  try {
    await restoreFiles(files, folder, stored);
    await target.migrate(manifest.migrations.length);
    await sql.begin(async (tx) => {
      for (const table of manifest.tables) await restoreRows(tx, table, folder);
    });
    await target.migrate();
    await target.adjustRows(sql);
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
