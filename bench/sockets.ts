/**
 * `npm run bench:sockets`: ten thousand sockets in one server process, their memory, their reconnection after a restart, and
 * the delivery time of a message to the other party's socket. The baseline is a minimal `ws` server with one INSERT and
 * the same clients in the same run. Linux; a few minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { record } from './results.ts';
import { runSockets } from './sockets/run.ts';
import { openFilesLimit } from './sockets/server-process.ts';

const sockets = Number(process.argv[2] ?? 10_000);
const openSockets = Math.min(2000, sockets);
const perSecond = 40;
/** File descriptors for the server's files, its database and Node itself. */
const spareFiles = 500;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const goals = { kilobytes: 25, p50: 15, p99: 200 };

if (!Number.isInteger(sockets / 4) || sockets < 400) {
  process.stderr.write(
    'The number of sockets must be a multiple of 4 and at least 400: npm run bench:sockets -- 10000\n',
  );
  process.exit(1);
}
if (openFilesLimit() < sockets + spareFiles) {
  process.stderr.write(
    `${sockets} sockets need ulimit -n ${sockets + spareFiles}; it is ${openFilesLimit()}\n`,
  );
  process.exit(1);
}

const row = (what: string, figure: number, limit: number, unit: string, goal?: number): void => {
  const verdict = goal === undefined ? '' : `≤ ${goal} ${unit}: ${figure <= goal ? 'met' : 'MISSED'}`;
  record({
    what,
    ours: `${figure.toFixed(1)} ${unit}`,
    limit: `${limit.toFixed(1)} ${unit}`,
    ratio: figure / limit,
    ...(goal === undefined ? {} : { goal: `≤ ${goal} ${unit}`, met: figure <= goal }),
  });
  const [shown, baseline] = [figure, limit].map((it) => it.toFixed(1).padStart(9));
  say(
    `${`${what}, ${unit}`.padEnd(44)}${shown}${baseline}${(figure / limit).toFixed(1).padStart(7)}  ${verdict}`,
  );
};

const load = () => loadavg()[0]?.toFixed(1);
const folder = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({ dataDir: folder, log: silentLog });
try {
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  say(
    `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, load ${load()} before`,
  );
  const { quad, baseline } = await runSockets(
    {
      ...{ databaseUrl: database.url, dataDir: join(folder, 'server') },
      ...{ sockets, openSockets, perSecond, seconds: 10, turns: 4, settleMs: 5000, timeoutMs: 300_000 },
    },
    say,
  );
  say(`load ${load()} after\n`);
  say(`${'what'.padEnd(44)}     Quad     baseline  ratio  goal`);
  row(
    `${sockets} sockets: memory of each`,
    quad.kilobytesEach,
    baseline.kilobytesEach,
    'KB',
    goals.kilobytes,
  );
  row('restart: stopping', quad.restart.stopMs / 1000, baseline.restart.stopMs / 1000, 's');
  row('restart: starting', quad.restart.startMs / 1000, baseline.restart.startMs / 1000, 's');
  row('restart: until all have reconnected', quad.restart.backMs / 1000, baseline.restart.backMs / 1000, 's');
  row(`${openSockets} sockets, ${perSecond}/s: delivered, p50`, quad.p50, baseline.p50, 'ms', goals.p50);
  row(`${openSockets} sockets, ${perSecond}/s: delivered, p99`, quad.p99, baseline.p99, 'ms', goals.p99);
  say(
    `\ndelivered ${quad.delivered}, lost ${quad.lost}, duplicated ${quad.duplicated} (baseline ${baseline.delivered}, ${baseline.lost}, ${baseline.duplicated})`,
  );
  say(`errors during and after the restart of Quad: ${JSON.stringify(quad.errors)}`);
  say(`errors during and after the restart of the baseline: ${JSON.stringify(baseline.errors)}`);
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
