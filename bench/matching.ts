/**
 * `npm run bench:matching`: measures how long it takes to match a published listing with 100,000 saved
 * searches and to create the notifications, in this process with its own PostgreSQL server. Then measures how
 * long notifications take while a server publishes two listings per second. To use a smaller number: `npm run
 * bench:matching -- <searches>`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { matchDueListings } from '#server/features/saved-searches/public.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createStubApp } from '#server/testing/stub-app.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { measureNotificationDelays } from './matching/delays.ts';
import { createDatabaseCpuReader } from './matching/processor-time.ts';
import { addSavedSearches } from './matching/searches.ts';
import { quantile } from './measure.ts';
import { recordResult } from './results.ts';

const [searchCount = 100_000] = process.argv.slice(2).map(Number);
const listingCount = 20_000;
const measuredCount = 100;
/**
 * The specification assumes at most this many matches per listing; some of the measured listings have more.
 */
const maxMatches = 1000;
const publishedCount = 60;
const maxMatchMs = 50;
/**
 * Maximum time for matching one listing and creating its notifications. Two listings per second are
 * published, so more than half a second each would be too slow.
 */
const maxTotalMs = 500;
const maxDelaySeconds = 90;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const formatTimes = (times: readonly number[], unit: string): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return `p50 ${quantile(sorted, 0.5).toFixed(1)} ${unit}, p99 ${quantile(sorted, 0.99).toFixed(1)} ${unit}`;
};

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
  const readProcessorMs = await createDatabaseCpuReader(sql);
  const app = createStubApp({ sql });
  /**
   * Matches one listing with the saved searches, and creates notifications for the searches that have alerts.
   */
  const matchOne = async (id: string) => {
    await sql`DELETE FROM saved_search_matches`;
    await sql`UPDATE saved_searches SET announced_at = NULL WHERE announced_at IS NOT NULL`;
    // The listing must already be due, although the clocks of the database and of this process may differ
    // slightly.
    await sql`INSERT INTO listings_to_match (listing_id, due_at) VALUES (${id}, now() - interval '1 second')`;
    const [begun, processorBegun] = [performance.now(), readProcessorMs()];
    await matchDueListings(app);
    const [ms, processorMs] = [performance.now() - begun, readProcessorMs() - processorBegun];
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int FROM saved_search_matches`;
    return { id, ms, processorMs, matches: row?.count ?? 0 };
  };
  const matchAll = async () => {
    const all: Awaited<ReturnType<typeof matchOne>>[] = [];
    for (const { id } of listings) all.push(await matchOne(id));
    return all;
  };

  const announced = await matchAll();
  const counts = announced.map(({ matches }) => matches).sort((a, b) => a - b);
  printLine(`matches per listing: p50 ${quantile(counts, 0.5)}, max ${counts.at(-1)}`);
  const usual = announced.filter(({ matches }) => matches <= maxMatches);
  const { published, seconds } = await measureNotificationDelays(
    environment,
    sql,
    usual.slice(0, publishedCount).map(({ id }) => id),
  );
  // Turn off all alerts, so that the next run measures only the matching.
  await sql`UPDATE saved_searches SET alert = 'off'`;
  await sql`VACUUM ANALYZE saved_searches`;
  const matched = await matchAll();

  for (const [what, listed] of [
    [`up to ${maxMatches} matches`, matched.filter(({ matches }) => matches <= maxMatches)],
    [`up to ${counts.at(-1)} matches`, matched],
  ] as const) {
    const processorTimes = listed.map(({ processorMs }) => processorMs).sort((a, b) => a - b);
    printLine(
      `matching a listing, ${what}: ${formatTimes(
        listed.map(({ ms }) => ms),
        'ms',
      )}`,
    );
    printLine(`  processor time of the database: ${formatTimes(processorTimes, 'ms')}`);
    const p99 = quantile(processorTimes, 0.99);
    recordResult({
      what: `matching a listing with ${searchCount} saved searches, ${what}, processor time of the database, p99`,
      ours: `${p99.toFixed(1)} ms`,
      goal: `≤ ${maxMatchMs} ms`,
      met: p99 <= maxMatchMs,
    });
  }
  const totals = announced.map(({ ms }) => ms).sort((a, b) => a - b);
  const slowest = quantile(totals, 0.99);
  printLine(`matching and announcing: ${formatTimes(totals, 'ms')}`);
  recordResult({
    what: `matching a listing and announcing it, up to ${counts.at(-1)} matches, p99`,
    ours: `${slowest.toFixed(1)} ms`,
    goal: `≤ ${maxTotalMs} ms`,
    met: slowest <= maxTotalMs,
  });
  const longest = quantile(seconds, 0.99);
  printLine(
    `${published} publications at two per second, ${seconds.length} notifications: ${formatTimes(seconds, 's')} after the publication`,
  );
  recordResult({
    what: 'from a publication to the notification of a saved search, two publications per second, p99',
    ours: `${longest.toFixed(1)} s`,
    goal: `≤ ${maxDelaySeconds} s`,
    met: longest <= maxDelaySeconds,
  });
} finally {
  await sql.end();
  await environment.close();
}
