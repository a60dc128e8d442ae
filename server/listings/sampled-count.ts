import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';

/** Maximum expected number of sampled pages with a match when no more than `count` listings match. */
const expectedPages = 10;
/** When 10 are expected, this many occur less than once in 10^18 samples (the tail of a Poisson distribution). */
const provingPages = 50;

/**
 * Returns whether a sample of the table's pages proves that more than `count` listings match. Pages are drawn
 * independently, and N listings occupy at most N pages. False proves nothing: the matches must be counted.
 */
export const isCertainlyMoreThan = async (
  sql: Queryable,
  count: number,
  where: Fragment,
): Promise<boolean> => {
  const percent = (100 * expectedPages) / count;
  const [sample] = await runStatement<{ pages: number }>(
    sql,
    fragment`SELECT count(DISTINCT split_part(l.ctid::text, ',', 1)) AS pages
    FROM listings l TABLESAMPLE SYSTEM (${percent}::real) WHERE ${where}`,
  );
  return (sample?.pages ?? 0) >= provingPages;
};
