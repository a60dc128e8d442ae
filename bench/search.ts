/**
 * `npm run bench:search -- 100000 1000000`: how long reads and searches of N listings take, on a separate
 * PostgreSQL. Several numbers take turns, so that other load does not look like growth. The baseline of each is the rows
 * of the same page, read by hand-written SQL over the same driver, without total, seller, cover or cursor.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateListings } from './generate.ts';
import { type Kind, listKinds } from './kinds.ts';
import { type Figures, measureInTurns, writeCost } from './measure.ts';
import { type Bench, openBench } from './open-bench.ts';
import { addConversations, addReader } from './people.ts';
import { record } from './results.ts';

const defaultCount = 100_000;
const goalMs = 100;
const maxGrowth = 1.3;

const counts = process.argv.slice(2).map(Number);
if (counts.some((count) => !Number.isInteger(count) || count < 1)) {
  process.stderr.write('Give numbers of listings, like: npm run bench:search -- 100000 1000000\n');
  process.exit(1);
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(7);

const verdict = ({ goal }: Kind, { p50, p99 }: Figures, smaller: Figures | undefined): string => {
  if (goal === 'quick') return p99 <= goalMs ? `≤ ${goalMs} ms: met` : `≤ ${goalMs} ms: MISSED`;
  if (goal === 'none') return '';
  if (!smaller) return 'flat';
  const growth = p50 / smaller.p50;
  const judged = growth <= maxGrowth ? 'met' : 'MISSED';
  return `${growth.toFixed(2)} times the smaller, ≤ ${maxGrowth}: ${judged}`;
};

const shown = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** Records the results that have a goal. */
const recordFigures = (
  count: number,
  { name, goal }: Kind,
  { p50, p99, limit }: Figures,
  smaller: Figures | undefined,
): void => {
  if (goal === 'quick') {
    record({
      what: `${name}, ${count} listings: p99`,
      ours: shown(p99),
      limit: shown(limit),
      ratio: p99 / limit,
      goal: `≤ ${goalMs} ms`,
      met: p99 <= goalMs,
    });
  }
  if (goal === 'flat' && smaller) {
    const ratio = p50 / smaller.p50;
    record({
      what: `${name}, ${count} listings compared with the smaller number`,
      ours: shown(p50),
      limit: shown(smaller.p50),
      ratio,
      goal: `≤ ${maxGrowth} ×`,
      met: ratio <= maxGrowth,
    });
  }
};

/** A database with N listings. */
interface Size {
  count: number;
  bench: Bench;
  kinds: Kind[];
}

const createSize = async (server: string, count: number): Promise<Size> => {
  const begun = performance.now();
  const name = `listings_${count}`;
  const sql = openDatabase(server, { max: 1 });
  await sql`CREATE DATABASE ${sql(name)}`;
  await sql.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrateDatabase({ databaseUrl: url.href, log: silentLog });
  const bench = openBench(url.href);
  await generateListings(bench.sql, count);
  await addConversations(bench.sql);
  const kinds = await listKinds(bench.sql, await addReader(bench.sql, 'reader@usc.edu', 30));
  say(`${count} listings, created in ${Math.round((performance.now() - begun) / 1000)} s`);
  return { count, bench, kinds };
};

const report = async ({ count, bench, kinds }: Size, figures: Figures[], smaller: Figures[] | undefined) => {
  say(`\n${count} listings; times in ms`);
  say(`${'what'.padEnd(34)}    p50     p99   limit  ratio   total  goal`);
  for (const [index, kind] of kinds.entries()) {
    const found = figures[index];
    if (!found) continue;
    recordFigures(count, kind, found, smaller?.[index]);
    const { p50, p99, limit, total } = found;
    say(
      `${kind.name.padEnd(34)}${milliseconds(p50)} ${milliseconds(p99)} ${milliseconds(limit)} ${(p50 / limit).toFixed(1).padStart(6)} ${String(total).padStart(7)}  ${verdict(kind, found, smaller?.[index])}`,
    );
  }
  for (const { without, ratio } of await writeCost(bench.sql))
    say(`saving a listing costs ${ratio.toFixed(2)} times what it costs without ${without}`);
  for (const { name, bytes } of await bench.sizes())
    say(`${name.padEnd(34)} ${Math.round(bytes / 2 ** 20)} MB`);
};

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({
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
  say(`${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`);
  const sizes: Size[] = [];
  for (const count of (counts.length > 0 ? counts : [defaultCount]).toSorted((a, b) => a - b))
    sizes.push(await createSize(database.url, count));
  /** Indexed by size, then by kind. */
  const figures: Figures[][] = sizes.map(() => []);
  for (const index of sizes[0]?.kinds.keys() ?? []) {
    const subjects = sizes.flatMap(({ bench, kinds }) =>
      kinds[index] ? [{ bench, kind: kinds[index] }] : [],
    );
    for (const [place, found] of (await measureInTurns(subjects)).entries()) figures[place]?.push(found);
  }
  for (const [place, size] of sizes.entries())
    await report(size, figures[place] ?? [], place > 0 ? figures[place - 1] : undefined);
  for (const { bench } of sizes) await bench.close();
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
