/**
 * `npm run bench:moderation`: measures the lists of the moderation console with all their filters, and the
 * console's overview, with 100,000 people, 1,000,000 listings and 50,000 reports. Of each list it measures
 * the first page, and a page up to 200 pages later. To use smaller numbers: `npm run bench:moderation --
 * <people> <listings> <reports>`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openBenchEnvironment } from './environment.ts';
import { quantile } from './measure.ts';
import {
  type ConsoleList,
  createBenchApp,
  createConsoleLists,
  readConsoleOverview,
} from './moderation/lists.ts';
import { addCases, addCompletedDeals, addForms, addListings, addPeople } from './moderation/rows.ts';
import { recordResult } from './results.ts';

const [peopleCount = 100_000, listingCount = 1_000_000, reportCount = 50_000] = process.argv
  .slice(2)
  .map(Number);
const maxP99Ms = 100;
const maxDepth = 200;
const measuredCount = 200;
/** Time budget for measuring one page, in ms: the slower the page, the fewer times it is read. */
const timeBudgetMs = 2_000;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const formatMs = (ms: number): string => `${ms.toFixed(1)} ms`;

interface Timing {
  what: string;
  p50: number;
  p99: number;
}

const measure = async (what: string, read: () => Promise<unknown>): Promise<Timing> => {
  // Do not measure the first reads, because they prepare the statement on each connection.
  for (let round = 0; round < 6; round += 1) await read();
  const times: number[] = [];
  const begun = performance.now();
  while (times.length < 20 || (times.length < measuredCount && performance.now() - begun < timeBudgetMs)) {
    const started = performance.now();
    await read();
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { what, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};

/**
 * Returns the cursor of a list's last page, or of page number `maxDepth` if there are more pages. Returns
 * undefined when the list has only one page.
 */
const findDeepCursor = async ({ read }: ConsoleList): Promise<string | undefined> => {
  let cursor: string | undefined;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const next = (await read(cursor)).next_cursor;
    if (next === null) break;
    cursor = next;
  }
  return cursor;
};

/** Measures the first page of a list, and also a deep page if the list has several pages. */
const measureList = async (list: ConsoleList): Promise<Timing[]> => {
  const first = await measure(`${list.group}: ${list.name}`, () => list.read(undefined));
  const cursor = await findDeepCursor(list);
  if (cursor === undefined) return [first];
  return [first, await measure(`${list.group}: ${list.name}, a deep page`, () => list.read(cursor))];
};

const report = (group: string, timings: readonly Timing[]): void => {
  const worst = timings.toSorted((a, b) => b.p99 - a.p99);
  const [slowest] = worst;
  if (!slowest) return;
  const missed = worst.filter(({ p99 }) => p99 > maxP99Ms);
  printLine(
    `\n${group}: ${timings.length} pages measured, ${missed.length} above ${maxP99Ms} ms; the slowest:`,
  );
  for (const { what, p50, p99 } of worst.slice(0, Math.max(8, missed.length)))
    printLine(`  ${what.padEnd(70)} p50 ${formatMs(p50).padStart(9)}  p99 ${formatMs(p99).padStart(9)}`);
  recordResult({
    what: `console, ${group}: p99 of the slowest page (${slowest.what})`,
    ours: formatMs(slowest.p99),
    goal: `≤ ${maxP99Ms} ms`,
    met: missed.length === 0,
  });
};

const now = new Date();
const environment = await openBenchEnvironment(async (sql) => {
  const begun = performance.now();
  await addPeople(sql, peopleCount, now);
  await addListings(sql, listingCount, now);
  await addForms(sql, reportCount, now);
  await addCases(sql, reportCount, now);
  await addCompletedDeals(sql, Math.ceil(listingCount / 40), now);
  await sql`VACUUM ANALYZE`;
  printLine(
    `${peopleCount} people, ${listingCount} listings, ${reportCount} reports and forms, created in ${Math.round((performance.now() - begun) / 1000)} s`,
  );
});
// A server process uses at most this number of connections for its reads.
const sql = openDatabase(environment.databaseUrl, { max: 4 });
try {
  printLine(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  const app = createBenchApp(sql, now);
  const lists = createConsoleLists(app);
  for (const group of ['people', 'forms', 'cases'] as const) {
    const timings: Timing[] = [];
    for (const list of lists.filter((it) => it.group === group)) timings.push(...(await measureList(list)));
    report(group, timings);
  }
  report('overview', [await measure('overview', () => readConsoleOverview(app))]);
  printLine(`\nload ${loadavg()[0]?.toFixed(1)} at the end`);
} finally {
  await sql.end();
  await environment.close();
}
