import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Version of the backup format that this version of Quad writes and reads. */
export const backupFormatVersion = 1;

/** Names of the files and subfolders in a backup folder. */
export const backupPaths = {
  manifest: 'manifest.json',
  rows: 'rows',
  files: 'files',
  fileList: 'files.ndjson',
  secrets: 'secrets.json',
} as const;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const identifierSchema = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const tableEntrySchema = z.object({
  schema: identifierSchema,
  name: identifierSchema,
  columns: z.array(identifierSchema).min(1),
  rows: z.int().min(0),
  sha256: sha256Schema,
});

/**
 * Schema of the manifest, which describes a backup. The manifest is written last, so a folder that
 * contains one is a complete backup.
 */
const manifestSchema = z.object({
  format: z.literal(backupFormatVersion),
  made_at: z.iso.datetime(),
  /** Names of the migrations that the backed-up database had applied, in order. */
  migrations: z.array(z.string()).min(1),
  /** The tables of the backup, in an order in which referenced tables come first. */
  tables: z.array(tableEntrySchema).min(1),
  files: z.object({
    count: z.int().min(0),
    bytes: z.int().min(0),
    sha256: sha256Schema,
    /** Keys of files that rows reference but that the file store did not contain. */
    missing: z.array(z.string()).default([]),
  }),
  secrets: z.object({ sha256: sha256Schema }),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type BackupTable = z.infer<typeof tableEntrySchema>;

const fileEntrySchema = z.object({
  key: z.string(),
  contentType: z.string(),
  bytes: z.int().min(0),
  sha256: sha256Schema,
});
/** An entry of the file list: one line of JSON that describes one file of the backup. */
export type BackupFileEntry = z.infer<typeof fileEntrySchema>;

/** Returns the path of a table's rows within the backup folder. */
export const buildRowsPath = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string =>
  join(backupPaths.rows, `${schema}.${name}.copy.gz`);

/** Thrown when a backup cannot be made or restored; the message is one line for the administrator. */
export class BackupError extends Error {}

/** Reads a folder's manifest; throws when the backup is incomplete or has another format. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, backupPaths.manifest), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new BackupError(`${folder} contains no complete backup: it has no manifest.json.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new BackupError('The backup is damaged: manifest.json cannot be read.');
  }
  const { format } = z.looseObject({ format: z.unknown() }).catch({ format: undefined }).parse(content);
  if (typeof format === 'number' && format > backupFormatVersion) {
    throw new BackupError('The backup was made by a newer version of Quad; restore it with that version.');
  }
  const parsed = manifestSchema.safeParse(content);
  if (!parsed.success)
    throw new BackupError('The backup is damaged: manifest.json does not say what it should.');
  return parsed.data;
};

/** Parses one line of the file list; throws a BackupError when it is malformed. */
export const parseFileEntry = (line: string): BackupFileEntry => {
  try {
    return fileEntrySchema.parse(JSON.parse(line));
  } catch {
    throw new BackupError(`The backup is damaged: ${backupPaths.fileList} cannot be read.`);
  }
};
