/**
 * `npm run bench:sockets`: opens ten thousand sockets to one server process and measures their memory, the time to
 * reconnect after a restart, and the delivery time of a message to the other party's socket. The baseline is a minimal
 * `ws` server with one INSERT per message, measured with the same clients in the same run. Takes a few minutes; Linux
 * only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { recordResult } from './results.ts';
import { runSocketBenchmark } from './sockets/run.ts';
import { readOpenFilesLimit } from './sockets/server-process.ts';

const socketCount = Number(process.argv[2] ?? 10_000);
const openSocketCount = Math.min(2000, socketCount);
const messagesPerSecond = 40;
/**
 * Number of file descriptors that the server needs in addition to one per socket: for files, for
 * database connections and for Node itself.
 */
const extraFileDescriptors = 500;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const goals = { kilobytes: 25, p50: 15, p99: 200 };

if (!Number.isInteger(socketCount / 4) || socketCount < 400) {
  process.stderr.write(
    'The number of sockets must be a multiple of 4 and at least 400: npm run bench:sockets -- 10000\n',
  );
  process.exit(1);
}
if (readOpenFilesLimit() < socketCount + extraFileDescriptors) {
  process.stderr.write(
    `${socketCount} sockets need ulimit -n ${socketCount + extraFileDescriptors}; it is ${readOpenFilesLimit()}\n`,
  );
  process.exit(1);
}

const reportRow = (what: string, figure: number, limit: number, unit: string, goal?: number): void => {
  const verdict = goal === undefined ? '' : `≤ ${goal} ${unit}: ${figure <= goal ? 'met' : 'MISSED'}`;
  recordResult({
    what,
    ours: `${figure.toFixed(1)} ${unit}`,
    limit: `${limit.toFixed(1)} ${unit}`,
    ratio: figure / limit,
    ...(goal === undefined ? {} : { goal: `≤ ${goal} ${unit}`, met: figure <= goal }),
  });
  const [shown, baseline] = [figure, limit].map((it) => it.toFixed(1).padStart(9));
  printLine(
    `${`${what}, ${unit}`.padEnd(44)}${shown}${baseline}${(figure / limit).toFixed(1).padStart(7)}  ${verdict}`,
  );
};

const readLoadAverage = () => loadavg()[0]?.toFixed(1);
const temporaryFolder = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({ dataDir: temporaryFolder, log: silentLog });
try {
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  printLine(
    `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, load ${readLoadAverage()} before`,
  );
  const { quad, baseline } = await runSocketBenchmark(
    {
      ...{ databaseUrl: database.url, dataDir: join(temporaryFolder, 'server') },
      ...{
        sockets: socketCount,
        openSockets: openSocketCount,
        perSecond: messagesPerSecond,
        seconds: 10,
        turns: 4,
        settleMs: 5000,
        timeoutMs: 300_000,
      },
    },
    printLine,
  );
  printLine(`load ${readLoadAverage()} after\n`);
  printLine(`${'what'.padEnd(44)}     Quad     baseline  ratio  goal`);
  reportRow(
    `${socketCount} sockets: memory of each`,
    quad.kilobytesEach,
    baseline.kilobytesEach,
    'KB',
    goals.kilobytes,
  );
  reportRow('restart: stopping', quad.restart.stopMs / 1000, baseline.restart.stopMs / 1000, 's');
  reportRow('restart: starting', quad.restart.startMs / 1000, baseline.restart.startMs / 1000, 's');
  reportRow(
    'restart: until all have reconnected',
    quad.restart.backMs / 1000,
    baseline.restart.backMs / 1000,
    's',
  );
  reportRow(
    `${openSocketCount} sockets, ${messagesPerSecond}/s: delivered, p50`,
    quad.p50,
    baseline.p50,
    'ms',
    goals.p50,
  );
  reportRow(
    `${openSocketCount} sockets, ${messagesPerSecond}/s: delivered, p99`,
    quad.p99,
    baseline.p99,
    'ms',
    goals.p99,
  );
  printLine(
    `\ndelivered ${quad.delivered}, lost ${quad.lost}, duplicated ${quad.duplicated} (baseline ${baseline.delivered}, ${baseline.lost}, ${baseline.duplicated})`,
  );
  printLine(`errors during and after the restart of Quad: ${JSON.stringify(quad.errors)}`);
  printLine(`errors during and after the restart of the baseline: ${JSON.stringify(baseline.errors)}`);
} finally {
  await database.stop();
  rmSync(temporaryFolder, { recursive: true, force: true });
}
