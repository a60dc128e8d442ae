/**
 * `npm run bench:matching`: measures how long it takes to match a published listing with 100,000 saved searches, and to
 * announce the matches, in this process and on a PostgreSQL server of its own. A smaller number:
 * `npm run bench:matching -- <searches>`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { defaultCampus } from '#contract/campus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createMatchingJob } from '#server/saved-searches/public.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { addSavedSearches } from './matching/searches.ts';
import { quantile } from './measure.ts';
import { recordResult } from './results.ts';

const [searchCount = 100_000] = process.argv.slice(2).map(Number);
const listingCount = 20_000;
const measuredCount = 100;
const maxMatchMs = 50;
/** At two publications per second, matching and announcing one listing may take half a second in total. */
const maxTotalMs = 500;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, listingCount);
  await addSavedSearches(sql, searchCount);
});
const sql = openDatabase(environment.databaseUrl, { max: 1 });
try {
  printLine(
    `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, ${searchCount} saved searches`,
  );
  const listings = await sql<{ id: string }[]>`
    SELECT id FROM listings WHERE status = 'published' ORDER BY md5(slug) LIMIT ${measuredCount}`;
  const matchListings = createMatchingJob({
    sql,
    clock: systemClock,
    campus: defaultCampus,
    announceMatches: async () => {},
  });
  /** Matches one listing and announces its matches if there are alerts; returns the time in ms. */
  const matchOne = async (id: string): Promise<number> => {
    await sql`DELETE FROM saved_search_matches`;
    await sql`UPDATE saved_searches SET announced_at = NULL WHERE announced_at IS NOT NULL`;
    await sql`INSERT INTO listings_to_match (listing_id, due_at) VALUES (${id}, now())`;
    const begun = performance.now();
    await matchListings();
    return performance.now() - begun;
  };

  const total: number[] = [];
  const counts: number[] = [];
  for (const { id } of listings) {
    total.push(await matchOne(id));
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int FROM saved_search_matches`;
    counts.push(row?.count ?? 0);
  }
  // Without alerts, all that remains is the matching.
  await sql`UPDATE saved_searches SET alert = 'off'`;
  await sql`VACUUM ANALYZE saved_searches`;
  const matching: number[] = [];
  for (const { id } of listings) matching.push(await matchOne(id));

  for (const times of [total, counts, matching]) times.sort((a, b) => a - b);
  const [p50, p99] = [quantile(matching, 0.5), quantile(matching, 0.99)];
  printLine(`matches per listing: p50 ${quantile(counts, 0.5)}, max ${counts.at(-1)}`);
  printLine(`matching a listing: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  recordResult({
    what: `matching a listing with ${searchCount} saved searches, p99`,
    ours: `${p99.toFixed(1)} ms`,
    goal: `≤ ${maxMatchMs} ms`,
    met: p99 <= maxMatchMs,
  });
  const slowest = quantile(total, 0.99);
  printLine(
    `matching and announcing: p50 ${quantile(total, 0.5).toFixed(1)} ms, p99 ${slowest.toFixed(1)} ms`,
  );
  recordResult({
    what: `matching a listing and announcing it, up to ${counts.at(-1)} matches, p99`,
    ours: `${slowest.toFixed(1)} ms`,
    goal: `≤ ${maxTotalMs} ms`,
    met: slowest <= maxTotalMs,
  });
} finally {
  await sql.end();
  await environment.close();
}
