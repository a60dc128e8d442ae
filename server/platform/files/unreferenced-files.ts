import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import type { FileStore } from './files.ts';

/** How long files are kept without a row in the database, in seconds; the row is stored soon after its file. */
export const unreferencedFileAgeSeconds = dayInSeconds;
const filesPerBatch = 1000;

interface UnreferencedFileOptions {
  files: Pick<FileStore, 'list' | 'delete'>;
  clock: Pick<Clock, 'now'>;
  folder: string;
  /** Returns the part of a file's key by which its row is found. */
  toReference(key: string): string;
  /** Returns those of the references whose rows exist. */
  listKnown(references: readonly string[]): Promise<string[]>;
}

/**
 * Deletes the files in a folder that are older than a day and have no row in the database. A crash, a lost connection or
 * a removed row can leave such files, because a file is written before its row is inserted and deleted after its row.
 * May be interrupted at any point and run twice.
 */
export const deleteUnreferencedFiles = async ({
  files,
  clock,
  folder,
  toReference,
  listKnown,
}: UnreferencedFileOptions): Promise<void> => {
  const storedBefore = addSeconds(clock.now(), -unreferencedFileAgeSeconds);
  const deleteBatch = async (keys: readonly string[]) => {
    const known = new Set(await listKnown([...new Set(keys.map(toReference))]));
    for (const key of keys) if (!known.has(toReference(key))) await files.delete(key);
  };
  let batch: string[] = [];
  for await (const { key, storedAt } of files.list(folder)) {
    if (storedAt >= storedBefore) continue;
    batch.push(key);
    if (batch.length < filesPerBatch) continue;
    await deleteBatch(batch);
    batch = [];
  }
  if (batch.length > 0) await deleteBatch(batch);
};
