import { createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { listResumeFiles } from '#server/features/forms/public.ts';
import { listQuotedPhotoFiles } from '#server/features/moderation/public.ts';
import { listPhotoFiles } from '#server/features/photos/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { acquireBackupLock, releaseBackupLock } from '#server/platform/postgres/backup-guard.ts';
import type { Queryable, Session, Sql } from '#server/platform/postgres/database.ts';
import { computeFileDigest, createDigestStream } from './digest.ts';
import {
  BackupError,
  type BackupFileEntry,
  type BackupTable,
  backupFormatVersion,
  backupPaths,
  buildRowsPath,
  type Manifest,
} from './manifest.ts';
import * as repository from './repository.ts';
import { sortByDependency } from './table-order.ts';

/**
 * A stored file that a database row references. A derived file, such as a resized photo, may be
 * missing.
 */
type ReferencedFile = { key: string; derived: boolean };

/** The running installation to back up. */
export interface BackupSource {
  sql: Sql;
  files: FileStore;
  clock: Clock;
  /** Path of QUAD_DATA_DIR/secrets.json. */
  secretsFile: string;
}

/** List the files referenced by the rows visible to a database session. */
const fileLists: ((sql: Queryable) => AsyncIterable<ReferencedFile>)[] = [
  listPhotoFiles,
  listResumeFiles,
  listQuotedPhotoFiles,
];

const maxConcurrentFiles = 8;

const saveTableRows = async (
  session: Session,
  table: repository.TableWithColumns,
  folder: string,
): Promise<BackupTable> => {
  const content = createDigestStream();
  const stored = createDigestStream();
  const target = createWriteStream(join(folder, buildRowsPath(table)), { mode: 0o600 });
  await pipeline(
    repository.openRowReader(session, table),
    content.stream,
    createGzip(),
    stored.stream,
    target,
  );
  const { schema, name, columns } = table;
  return { schema, name, columns, rows: content.seen.lines, sha256: stored.sha256() };
};

/** Copies a file into the backup folder; returns undefined when the file is missing. */
const saveFile = async (
  files: FileStore,
  key: string,
  folder: string,
): Promise<BackupFileEntry | undefined> => {
  const file = await files.read(key);
  if (!file) return undefined;
  const path = join(folder, backupPaths.files, key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const digest = createDigestStream();
  await pipeline(await file.open(), digest.stream, createWriteStream(path, { mode: 0o600 }));
  return { key, contentType: file.contentType, bytes: digest.seen.bytes, sha256: digest.sha256() };
};

const saveFiles = async (
  session: Queryable,
  files: FileStore,
  folder: string,
): Promise<Manifest['files']> => {
  const list = await open(join(folder, backupPaths.fileList), 'w', 0o600);
  const saved = { count: 0, bytes: 0 };
  let originals = 0;
  const missing: string[] = [];
  let batch: ReferencedFile[] = [];
  const saveBatch = async () => {
    const copies = batch.map(async (file) => ({ ...file, entry: await saveFile(files, file.key, folder) }));
    batch = [];
    // Let all copies end before an error of one is thrown, because the folder is cleared then.
    await Promise.allSettled(copies);
    for (const { key, derived, entry } of await Promise.all(copies)) {
      if (entry) {
        saved.count += 1;
        saved.bytes += entry.bytes;
        if (!derived) originals += 1;
        await list.write(`${JSON.stringify(entry)}\n`);
      } else if (!derived) missing.push(key);
    }
  };
  try {
    for (const listFiles of fileLists) {
      for await (const file of listFiles(session)) {
        batch.push(file);
        if (batch.length >= maxConcurrentFiles) await saveBatch();
      }
    }
    await saveBatch();
  } finally {
    await list.close();
  }
  // A few files may be lost for good, and backups must go on. Most of them missing is a wrong or unmounted store.
  if (missing.length > originals) {
    const listed = missing.length + originals;
    throw new BackupError(
      `The backup was given up: ${missing.length} of ${listed} files that rows name are missing, such as ${missing[0]}.`,
    );
  }
  const sha256 = (await computeFileDigest(join(folder, backupPaths.fileList))) ?? '';
  return { ...saved, missing, sha256 };
};

/**
 * Creates the folder unless it exists, and reserves it for this backup; returns a function that removes what a failed
 * backup has written.
 */
const prepareBackupFolder = async (folder: string): Promise<() => Promise<void>> => {
  const refuse = () => {
    throw new BackupError(`${folder} is not empty: a backup needs a folder of its own.`);
  };
  const inside = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new BackupError(`Cannot write into ${folder}: ${error.message}`);
  });
  if (inside?.length) refuse();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Without `recursive`, only one of several backups that start at the same time can create it.
  await mkdir(join(folder, backupPaths.rows), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') refuse();
    throw error;
  });
  const written = inside ? Object.values(backupPaths).map((name) => join(folder, name)) : [folder];
  return async () => {
    for (const path of written) await rm(path, { recursive: true, force: true });
  };
};

/**
 * Writes everything except the manifest into the backup folder, from one database snapshot; returns the
 * manifest.
 */
const writeBackupContent = async (
  session: Session,
  source: BackupSource,
  folder: string,
): Promise<Manifest> => {
  const made_at = source.clock.now().toISOString();
  const migrations = await repository.listAppliedMigrations(session);
  if (migrations.length === 0) throw new BackupError('There is nothing to back up: the database is empty.');
  const shapes = sortByDependency(
    await repository.listTablesToBackUp(session),
    await repository.listForeignKeys(session),
  );
  const tables: BackupTable[] = [];
  for (const shape of shapes) tables.push(await saveTableRows(session, shape, folder));
  const files = await saveFiles(session, source.files, folder);
  const secrets = join(folder, backupPaths.secrets);
  await copyFile(source.secretsFile, secrets).catch(() => {
    throw new BackupError(`The backup was given up: ${source.secretsFile} cannot be read.`);
  });
  await chmod(secrets, 0o600);
  const sha256 = (await computeFileDigest(secrets)) ?? '';
  return { format: backupFormatVersion, made_at, migrations, tables, files, secrets: { sha256 } };
};

const writeBackup = async (source: BackupSource, folder: string): Promise<Manifest> => {
  const session = await source.sql.reserve();
  try {
    if (!(await acquireBackupLock(session))) {
      throw new BackupError('Another backup is running. Try again when it is done.');
    }
    try {
      // Take the snapshot only after acquiring the backup lock: from then on, files of deleted rows
      // are not deleted until the backup ends.
      await session`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
      const manifest = await writeBackupContent(session, source, folder);
      const text = `${JSON.stringify(manifest, null, 2)}\n`;
      await writeFile(join(folder, backupPaths.manifest), text, { mode: 0o600 });
      return manifest;
    } finally {
      await session`ROLLBACK`;
      await releaseBackupLock(session);
    }
  } finally {
    session.release();
  }
};

/**
 * Writes rows, files and secrets into a new folder while servers keep running. Rows and files
 * match: all rows come from one snapshot, stored files never change, and no file that these rows
 * reference is deleted before the backup ends. A backup that fails leaves nothing in the folder.
 */
export const makeBackup = async (source: BackupSource, folder: string): Promise<Manifest> => {
  const removeWritten = await prepareBackupFolder(folder);
  try {
    return await writeBackup(source, folder);
  } catch (error) {
    // An error here must not hide why the backup failed.
    await removeWritten().catch(() => {});
    throw error;
  }
};
