import { isLockTimeout, type Queryable } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import type { CatalogBook } from './catalog-line.ts';

/** How far the import of a file came. */
export interface ImportProgress {
  /** Number of lines so far. */
  lines: number;
  /** Number of books that were stored, of lines without a book, and of broken lines. */
  books: number;
  skipped: number;
  broken: number;
  /** The first broken lines. */
  examples: { line: number; reason: string }[];
}

export const findImport = async (
  sql: Queryable,
  fileHash: string,
): Promise<{ position: number; progress: ImportProgress } | undefined> => {
  const [row] = await sql<{ position: number; progress: ImportProgress }[]>`
    SELECT position, progress FROM private.book_imports WHERE file_hash = ${fileHash}`;
  return row;
};

export const saveImport = async (
  tx: Queryable,
  { fileHash, position, progress }: { fileHash: string; position: number; progress: ImportProgress },
): Promise<void> => {
  await tx`
    INSERT INTO private.book_imports (file_hash, position, progress) VALUES (${fileHash}, ${position}, ${json(progress)})
    ON CONFLICT (file_hash) DO UPDATE SET position = excluded.position, progress = excluded.progress`;
};

export const deleteImport = async (sql: Queryable, fileHash: string): Promise<void> => {
  await sql`DELETE FROM private.book_imports WHERE file_hash = ${fileHash}`;
};

/** Id of the advisory lock of a running import: arbitrary, but the same in every version of Quad. */
const importLockId = 7_100_518_301;

/**
 * Returns whether no other import runs. Waits a moment for the last statement of an import that was killed. The lock is held
 * until the session ends or `releaseImportLock` is called.
 */
export const acquireImportLock = async (session: Queryable): Promise<boolean> => {
  await session`SET lock_timeout = '5s'`;
  try {
    await session`SELECT pg_advisory_lock(${importLockId}::bigint)`;
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    await session`RESET lock_timeout`;
  }
};

export const releaseImportLock = async (session: Queryable): Promise<void> => {
  await session`SELECT pg_advisory_unlock(${importLockId}::bigint)`;
};

/** Stores books with different ISBNs, in place of what was known about them. */
export const upsertBooks = async (tx: Queryable, books: readonly CatalogBook[]): Promise<void> => {
  await tx`
    INSERT INTO books (isbn, title, authors, edition, published_year)
    SELECT * FROM unnest(${books.map(({ isbn }) => isbn)}::text[], ${books.map(({ title }) => title)}::text[],
      ${books.map(({ authors }) => authors)}::text[], ${books.map(({ edition }) => edition)}::text[],
      ${books.map(({ published_year: year }) => year)}::smallint[])
    ON CONFLICT (isbn) DO UPDATE SET title = excluded.title, authors = excluded.authors, edition = excluded.edition,
      published_year = excluded.published_year
    WHERE (books.title, books.authors, books.edition, books.published_year)
      IS DISTINCT FROM (excluded.title, excluded.authors, excluded.edition, excluded.published_year)`;
};
