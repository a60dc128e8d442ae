/**
 * `npm run bench:search -- 100000 1000000`: measures how long reads and searches take in databases with these
 * numbers of listings, on a separate PostgreSQL server. With several numbers, the measurements alternate
 * between the databases, so that other load on the machine affects all of them equally. The baseline is
 * hand-written SQL that reads the rows of the same page through the same driver, but without match count,
 * seller, cover photo or cursor. Arguments that are not numbers select the queries whose names contain one of
 * these arguments: `npm run bench:search -- 1000000 "similar matches" "of size large"`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { computeSalePrices } from '#server/features/sale-prices/sale-prices.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type BenchDatabase, openBenchDatabase } from './bench-database.ts';
import { generateListings } from './generate.ts';
import { addGoods } from './goods.ts';
import { measureIndexCosts, measureQueriesInTurns, type QueryTimings } from './measure.ts';
import { addConversations, addUserWithConversations } from './people.ts';
import type { QueryKind } from './query-kind.ts';
import { listQueryKinds } from './query-kinds.ts';
import { recordResult } from './results.ts';

const defaultListingCount = 100_000;
const maxP99Ms = 100;
const maxTimeGrowth = 1.3;

const isListingCount = (argument: string): boolean => /^[1-9]\d*$/.test(argument);
const listingCounts = process.argv.slice(2).filter(isListingCount).map(Number);
const queryNameParts = process.argv.slice(2).filter((argument) => !isListingCount(argument));

const selectQueryKinds = (kinds: QueryKind[]): QueryKind[] =>
  kinds.filter(
    ({ name }) => queryNameParts.length === 0 || queryNameParts.some((part) => name.includes(part)),
  );

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const padMilliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(7);

const formatVerdict = (
  { goal }: QueryKind,
  { p50, p99 }: QueryTimings,
  smaller: QueryTimings | undefined,
): string => {
  if (goal === 'quick') return p99 <= maxP99Ms ? `≤ ${maxP99Ms} ms: met` : `≤ ${maxP99Ms} ms: MISSED`;
  if (goal === 'none') return '';
  if (!smaller) return 'flat';
  const growth = p50 / smaller.p50;
  const outcome = growth <= maxTimeGrowth ? 'met' : 'MISSED';
  return `${growth.toFixed(2)} times the smaller, ≤ ${maxTimeGrowth}: ${outcome}`;
};

const formatMilliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/**
 * Records the timings of a kind of query, unless it has no goal. With the goal `flat`, they are recorded only
 * if there are timings of a smaller database to compare them with.
 */
const recordTimings = (
  count: number,
  { name, goal }: QueryKind,
  { p50, p99, limit }: QueryTimings,
  smaller: QueryTimings | undefined,
): void => {
  if (goal === 'quick') {
    recordResult({
      what: `${name}, ${count} listings: p99`,
      ours: formatMilliseconds(p99),
      limit: formatMilliseconds(limit),
      ratio: p99 / limit,
      goal: `≤ ${maxP99Ms} ms`,
      met: p99 <= maxP99Ms,
    });
  }
  if (goal === 'flat' && smaller) {
    const ratio = p50 / smaller.p50;
    recordResult({
      what: `${name}, ${count} listings compared with the smaller number`,
      ours: formatMilliseconds(p50),
      limit: formatMilliseconds(smaller.p50),
      ratio,
      goal: `≤ ${maxTimeGrowth} ×`,
      met: ratio <= maxTimeGrowth,
    });
  }
};

/** A database with `count` listings and the queries to measure on it. */
interface SeededDatabase {
  count: number;
  bench: BenchDatabase;
  kinds: QueryKind[];
}

const createSeededDatabase = async (server: string, count: number): Promise<SeededDatabase> => {
  const begun = performance.now();
  const name = `listings_${count}`;
  const sql = openDatabase(server, { max: 1 });
  await sql`CREATE DATABASE ${identifier(name)}`;
  await sql.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrateDatabase({ databaseUrl: url.href, log: silentLog });
  const bench = openBenchDatabase(url.href);
  // Check the query names given as arguments before creating the listings, because the creation
  // takes minutes. The names of the queries do not depend on the listings.
  if (selectQueryKinds(await listQueryKinds(bench.sql, '')).length === 0)
    throw new Error(`No query has a name with ${queryNameParts.map((part) => `"${part}"`).join(' or ')}`);
  await generateListings(bench.sql, count);
  await addGoods(bench.sql, count);
  const salesBegun = performance.now();
  await computeSalePrices(bench.app);
  const salesSeconds = (performance.now() - salesBegun) / 1000;
  await addConversations(bench.sql);
  const readerId = await addUserWithConversations(bench.sql, 'reader@usc.edu', 30);
  const kinds = selectQueryKinds(await listQueryKinds(bench.sql, readerId));
  printLine(`${count} listings, created in ${Math.round((performance.now() - begun) / 1000)} s`);
  printLine(`computing what things sold for took ${salesSeconds.toFixed(1)} s`);
  return { count, bench, kinds };
};

const reportResults = async (
  { count, bench, kinds }: SeededDatabase,
  figures: QueryTimings[],
  smaller: QueryTimings[] | undefined,
) => {
  printLine(`\n${count} listings; times in ms`);
  printLine(`${'what'.padEnd(34)}    p50     p99  p99cpu   limit  ratio   total  goal`);
  for (const [index, kind] of kinds.entries()) {
    const found = figures[index];
    if (!found) continue;
    recordTimings(count, kind, found, smaller?.[index]);
    const { p50, p99, cpu99, limit, total } = found;
    printLine(
      `${kind.name.padEnd(34)}${padMilliseconds(p50)} ${padMilliseconds(p99)} ${padMilliseconds(cpu99)} ${padMilliseconds(limit)} ${(p50 / limit).toFixed(1).padStart(6)} ${String(total).padStart(7)}  ${formatVerdict(kind, found, smaller?.[index])}`,
    );
  }
  for (const { without, ratio } of await measureIndexCosts(bench.sql))
    printLine(`saving a listing costs ${ratio.toFixed(2)} times what it costs without ${without}`);
  for (const { name, bytes } of await bench.sizes())
    printLine(`${name.padEnd(34)} ${Math.round(bytes / 2 ** 20)} MB`);
};

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const databaseServer = await startEmbeddedDatabase({
  dataDir,
  log: silentLog,
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    shared_buffers: '2GB',
    max_wal_size: '8GB',
  },
});
try {
  printLine(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`);
  const databases: SeededDatabase[] = [];
  for (const count of (listingCounts.length > 0 ? listingCounts : [defaultListingCount]).toSorted(
    (a, b) => a - b,
  ))
    databases.push(await createSeededDatabase(databaseServer.url, count));
  /** The timings of each database, in the order of the kinds of queries. */
  const figures: QueryTimings[][] = databases.map(() => []);
  for (const index of databases[0]?.kinds.keys() ?? []) {
    const subjects = databases.flatMap(({ bench, kinds }) =>
      kinds[index] ? [{ bench, kind: kinds[index] }] : [],
    );
    for (const [databaseIndex, found] of (await measureQueriesInTurns(subjects)).entries())
      figures[databaseIndex]?.push(found);
  }
  for (const [databaseIndex, size] of databases.entries())
    await reportResults(
      size,
      figures[databaseIndex] ?? [],
      databaseIndex > 0 ? figures[databaseIndex - 1] : undefined,
    );
  for (const { bench } of databases) await bench.close();
} finally {
  await databaseServer.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
