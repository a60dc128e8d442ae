import { createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import { beginBackup, endBackup } from '#server/platform/postgres/backup-guard.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { computeFileDigest, createDigest } from './digest.ts';
import {
  BackupRefusal,
  type BackupTable,
  backupFormat,
  backupPaths,
  type FileEntry,
  type Manifest,
  rowsPath,
} from './manifest-service.ts';
import { inDependencyOrder } from './order.ts';
import * as repository from './repository.ts';

/** A stored file that a database row names. A derived file, such as a resized photo, may be missing. */
type FileOfRow = { key: string; derived: boolean };

export interface BackupSource {
  sql: Sql;
  files: Files;
  clock: Clock;
  /** Path of DATA_DIR/secrets.json. */
  secretsFile: string;
  /** Functions that list the files named by the rows that the given database session sees. */
  listFiles: ((sql: Queryable) => AsyncIterable<FileOfRow>)[];
}

const concurrentFiles = 8;

const saveRows = async (
  session: Queryable,
  table: repository.TableShape,
  folder: string,
): Promise<BackupTable> => {
  const content = createDigest();
  const stored = createDigest();
  const target = createWriteStream(join(folder, rowsPath(table)), { mode: 0o600 });
  await pipeline(
    await repository.openRows(session, table),
    content.stream,
    createGzip(),
    stored.stream,
    target,
  );
  const { schema, name, columns } = table;
  return { schema, name, columns, rows: content.seen.lines, sha256: stored.sha256() };
};

const saveFile = async (
  files: Files,
  { key, derived }: FileOfRow,
  folder: string,
): Promise<FileEntry | undefined> => {
  const file = await files.read(key);
  if (!file) {
    if (derived) return undefined;
    throw new BackupRefusal(`The backup was given up: the file ${key} is missing, though a row names it.`);
  }
  const path = join(folder, backupPaths.files, key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const digest = createDigest();
  await pipeline(await file.open(), digest.stream, createWriteStream(path, { mode: 0o600 }));
  return { key, contentType: file.contentType, bytes: digest.seen.bytes, sha256: digest.sha256() };
};

const saveFiles = async (
  session: Queryable,
  { files, listFiles }: Pick<BackupSource, 'files' | 'listFiles'>,
  folder: string,
): Promise<Manifest['files']> => {
  const list = await open(join(folder, backupPaths.fileList), 'w', 0o600);
  const saved = { count: 0, bytes: 0 };
  let batch: FileOfRow[] = [];
  const saveBatch = async () => {
    const entries = await Promise.all(batch.map((file) => saveFile(files, file, folder)));
    batch = [];
    for (const entry of entries) {
      if (!entry) continue;
      saved.count += 1;
      saved.bytes += entry.bytes;
      await list.write(`${JSON.stringify(entry)}\n`);
    }
  };
  try {
    for (const listed of listFiles) {
      for await (const file of listed(session)) {
        batch.push(file);
        if (batch.length >= concurrentFiles) await saveBatch();
      }
    }
    await saveBatch();
  } finally {
    await list.close();
  }
  return { ...saved, sha256: (await computeFileDigest(join(folder, backupPaths.fileList))) ?? '' };
};

const prepareFolder = async (folder: string): Promise<void> => {
  const inside = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new BackupRefusal(`Cannot write into ${folder}: ${error.message}`);
  });
  if (inside.length > 0)
    throw new BackupRefusal(`${folder} is not empty: a backup needs a folder of its own.`);
  await mkdir(join(folder, backupPaths.rows), { recursive: true, mode: 0o700 });
};

/** Writes everything except the manifest into the folder, from one database snapshot. Returns the manifest. */
const saveContent = async (session: Queryable, source: BackupSource, folder: string): Promise<Manifest> => {
  const made_at = source.clock.now().toISOString();
  const migrations = await repository.listAppliedMigrations(session);
  if (migrations.length === 0) throw new BackupRefusal('There is nothing to back up: the database is empty.');
  const shapes = inDependencyOrder(
    await repository.listTables(session),
    await repository.listReferences(session),
  );
  const tables: BackupTable[] = [];
  for (const shape of shapes) tables.push(await saveRows(session, shape, folder));
  const files = await saveFiles(session, source, folder);
  const secrets = join(folder, backupPaths.secrets);
  await copyFile(source.secretsFile, secrets).catch(() => {
    throw new BackupRefusal(`The backup was given up: ${source.secretsFile} cannot be read.`);
  });
  await chmod(secrets, 0o600);
  const sha256 = (await computeFileDigest(secrets)) ?? '';
  return { format: backupFormat, made_at, migrations, tables, files, secrets: { sha256 } };
};

/**
 * Writes rows, files and secrets into a new folder while servers keep running. Rows and files match: all rows come from
 * one snapshot, stored files never change, and no file that these rows name is deleted before the backup ends.
 */
export const makeBackup = async (source: BackupSource, folder: string): Promise<Manifest> => {
  await prepareFolder(folder);
  const session = await source.sql.reserve();
  try {
    if (!(await beginBackup(session))) {
      throw new BackupRefusal('Another backup is running. Try again when it is done.');
    }
    try {
      // Take the snapshot after acquiring the lock, so that files of rows deleted later are kept until the backup ends.
      await session`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
      const manifest = await saveContent(session, source, folder);
      const text = `${JSON.stringify(manifest, null, 2)}\n`;
      await writeFile(join(folder, backupPaths.manifest), text, { mode: 0o600 });
      return manifest;
    } finally {
      await session`ROLLBACK`;
      await endBackup(session);
    }
  } finally {
    session.release();
  }
};
