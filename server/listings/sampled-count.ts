import type { Fragment, Queryable } from '#server/platform/postgres/database.ts';

/** How many pages with a match a sample has on average, at most, where no more than so many listings match. */
const expectedPages = 10;
/** Where 10 are expected, so many are found less often than once in 10^18 times (the tail of a Poisson distribution). */
const provingPages = 50;

/**
 * Whether a sample of the table's pages leaves no doubt that more than `count` listings match. Each page is drawn by
 * itself, and so many listings lie on no more pages than they are. False says nothing: they are to be counted.
 */
export const isCertainlyMoreThan = async (
  sql: Queryable,
  count: number,
  where: Fragment,
): Promise<boolean> => {
  const percent = (100 * expectedPages) / count;
  const [sample] = await sql<{ pages: number }[]>`
    SELECT count(DISTINCT split_part(l.ctid::text, ',', 1)) AS pages
    FROM listings l TABLESAMPLE SYSTEM (${percent}::real) WHERE ${where}`;
  return (sample?.pages ?? 0) >= provingPages;
};
