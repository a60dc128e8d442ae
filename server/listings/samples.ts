import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';

/** Number of newest listings sampled to estimate how common a text is and which terms are selective. */
const sampleSize = 500;

/** Returns the searchable texts of the newest listings. */
export const listNewestTexts = async (sql: Queryable): Promise<string[]> => {
  const rows = await sql<{ search_text: string }[]>`
    SELECT search_text FROM listings WHERE status = 'published' ORDER BY created_at DESC, id DESC LIMIT ${sampleSize}`;
  return rows.map((row) => row.search_text);
};

/** Returns the share of a full sample that contains a text, from 0 to 1; a smaller sample counts as full. */
export const shareContaining = (text: string, texts: readonly string[]): number =>
  texts.filter((it) => it.includes(text)).length / sampleSize;

/**
 * Expected number of sampled table pages with a match, if exactly `count` listings match; fewer if fewer listings
 * match.
 */
const expectedTablePages = 10;
/**
 * If at least this many sampled table pages contain a match, more than `count` listings match (see
 * `isCertainlyMoreThan`). With at most `count` matches, about `expectedTablePages` (10) are expected, and 50 or more has a
 * probability below 10^-18 (Poisson tail).
 */
const provingTablePages = 50;

/**
 * Returns true when a sample of the table's pages proves that more than `count` listings match. Pages are sampled
 * independently, and N listings occupy at most N pages. False proves nothing: the caller must count the matches.
 */
export const isCertainlyMoreThan = async (
  sql: Queryable,
  count: number,
  where: Fragment,
): Promise<boolean> => {
  const percent = (100 * expectedTablePages) / count;
  const [sample] = await runStatement<{ pages: number }>(
    sql,
    fragment`SELECT count(DISTINCT split_part(l.ctid::text, ',', 1)) AS pages
    FROM listings l TABLESAMPLE SYSTEM (${percent}::real) WHERE ${where}`,
  );
  return (sample?.pages ?? 0) >= provingTablePages;
};
