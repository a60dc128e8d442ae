import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { inspectCatalogFile, readCatalogFile } from './catalog-file.ts';
import { type CatalogBook, readCatalogLine } from './catalog-line.ts';
import { type FileLine, splitLines } from './file-lines.ts';
import type { ImportProgress } from './import-repository.ts';
import * as repository from './import-repository.ts';

/** How many books are stored together. */
const batchSize = 5_000;
const maxExamples = 20;

const emptyProgress = (): ImportProgress => ({ lines: 0, books: 0, skipped: 0, broken: 0, examples: [] });

/** Adds a line to the progress and its books to the batch. */
const addLine = (line: FileLine, batch: Map<string, CatalogBook>, progress: ImportProgress): void => {
  progress.lines += 1;
  const content =
    line.text === undefined ? { broken: `the line is ${line.reason}` } : readCatalogLine(line.text);
  if ('books' in content) {
    progress.books += content.books.length;
    for (const book of content.books) batch.set(book.isbn, book);
  } else if ('skipped' in content) progress.skipped += 1;
  else {
    progress.broken += 1;
    if (progress.examples.length < maxExamples)
      progress.examples.push({ line: progress.lines, reason: content.broken });
  }
};

interface ImportEvents {
  /** Called after each batch with the share of the file that is stored, from 0 to 1. */
  onProgress?: (share: number, progress: ImportProgress) => void;
  /** Called when the import continues an earlier one that did not end. */
  onResume?: (progress: ImportProgress) => void;
}

/**
 * Imports a catalog of books. Each batch is stored together with the position in the file, so that an import that was
 * killed continues there. Of several lines with the same ISBN the last one counts. Throws when another import runs.
 */
export const importBooks = async (
  sql: Sql,
  path: string,
  { onProgress, onResume }: ImportEvents = {},
): Promise<ImportProgress> => {
  const file = await inspectCatalogFile(path);
  const session = await sql.reserve();
  try {
    if (!(await repository.acquireImportLock(session))) throw new Error('Another import of books is running');
    const stored = await repository.findImport(sql, file.hash);
    if (stored) onResume?.(stored.progress);
    const progress = stored?.progress ?? emptyProgress();
    let position = stored?.position ?? 0;
    const { chunks, readBytes } = readCatalogFile(file, position);
    const batch = new Map<string, CatalogBook>();
    const store = async () => {
      await runInTransaction(sql, async (tx) => {
        if (batch.size > 0) await repository.upsertBooks(tx, [...batch.values()]);
        await repository.saveImport(tx, { fileHash: file.hash, position, progress });
      });
      batch.clear();
      onProgress?.(file.size === 0 ? 1 : readBytes() / file.size, progress);
    };
    let linesSinceStored = 0;
    for await (const lines of splitLines(chunks, position)) {
      for (const line of lines) {
        addLine(line, batch, progress);
        position = line.end;
        linesSinceStored += 1;
        if (batch.size >= batchSize || linesSinceStored >= 20 * batchSize) {
          await store();
          linesSinceStored = 0;
        }
      }
    }
    await store();
    await repository.deleteImport(sql, file.hash);
    return progress;
  } finally {
    await repository.releaseImportLock(session).catch(() => {});
    session.release();
  }
};

/** Stores the books of a short list, whose lines are like those of a catalog. */
export const storeBooks = async (tx: Queryable, text: string): Promise<void> => {
  const books = text.split('\n').flatMap((line) => {
    const content = readCatalogLine(line);
    return 'books' in content ? content.books : [];
  });
  await repository.upsertBooks(tx, books);
};
