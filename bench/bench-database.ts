import { readConfig } from '#server/config.ts';
import { createMatchCountCache } from '#server/features/listings/public.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import { createStubApp } from '#server/testing/stub-app.ts';

/** Opens a database, with an App that reads listings from it. It uses neither files nor jobs nor mail. */
export const openBenchDatabase = (url: string) => {
  const sql = openDatabase(url, { max: 2 });
  const search = openSearchDatabase(url, { max: 1 });
  const bus = createInProcessBus();
  const app = createStubApp({
    sql,
    config: readConfig({}),
    search: search.run,
    bus,
    // A clock without a valid time disables the cache of match counts. Otherwise a repeated query would read
    // its count from the cache.
    matchCounts: createMatchCountCache(bus, { now: () => new Date(Number.NaN) }),
  });
  return {
    app,
    sql,
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
