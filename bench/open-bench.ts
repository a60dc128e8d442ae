import { defaultCampus } from '#contract/campus.ts';
import { createListingReads } from '#server/listings/reading.ts';
import { createTotals } from '#server/listings/totals.ts';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase, openSearchDatabase } from '#server/platform/postgres/database.ts';

/** Opens a database and the server's functions that read listings from it. */
export const openBench = (url: string) => {
  const sql = openDatabase(url, { max: 2 });
  const searchSql = openSearchDatabase(url, 1);
  // An invalid time disables the cache, because a benchmark requests the same totals repeatedly.
  const totals = createTotals({ bus: createProcessBus(), clock: { now: () => new Date(Number.NaN) } });
  return {
    sql,
    reads: createListingReads({ sql, searchSql, clock: systemClock, campus: defaultCampus, totals }),
    /** Returns the disk usage of the listings and each of their indexes. */
    sizes: () => sql<{ name: string; bytes: number }[]>`
      SELECT relname AS name, pg_relation_size(pg_class.oid) AS bytes FROM pg_class
      WHERE oid = 'listings'::regclass
        OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'listings'::regclass)
      ORDER BY bytes DESC`,
    close: () => Promise.all([sql.end(), searchSql.end()]),
  };
};

export type Bench = ReturnType<typeof openBench>;
