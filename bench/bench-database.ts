import { defaultCampus } from '#contract/campus.ts';
import { createMatchCountCache } from '#server/features/listings/match-count-cache.ts';
import { createListingReadService } from '#server/features/listings/read-service.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';

/** Opens a database, and creates the server's functions that read listings from it. */
export const openBenchDatabase = (url: string) => {
  const sql = openDatabase(url, { max: 2 });
  const search = openSearchDatabase(url, { max: 1 });
  // A clock without a valid time disables the cache of match counts. Otherwise a repeated query would read
  // its count from the cache.
  const matchCounts = createMatchCountCache({
    bus: createInProcessBus(),
    clock: { now: () => new Date(Number.NaN) },
  });
  return {
    sql,
    reads: createListingReadService({
      sql,
      runSearch: search.run,
      clock: systemClock,
      campus: defaultCampus,
      matchCounts,
    }),
    /** Returns the sizes of the table `listings` and of each of its indexes on disk, in bytes. */
    sizes: () => sql<{ name: string; bytes: number }[]>`
      SELECT relname AS name, pg_relation_size(pg_class.oid) AS bytes FROM pg_class
      WHERE oid = 'listings'::regclass
        OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'listings'::regclass)
      ORDER BY bytes DESC`,
    close: () => Promise.all([sql.end(), search.sql.end()]),
  };
};

export type BenchDatabase = ReturnType<typeof openBenchDatabase>;
