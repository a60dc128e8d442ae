/**
 * `npm run bench`: runs all benchmarks sequentially and prints one table of all results. Arguments select benchmarks:
 * `npm run bench -- pages reads`. A benchmark that exceeds its timeout is stopped and counts as failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatResultTable, readResults } from './results.ts';

/** All benchmarks, each with its script, arguments, and timeout in minutes. */
const benchmarks: Record<string, [script: string, args: string[], minutes: number]> = {
  start: ['start-time.ts', [], 2],
  weight: ['page-weight.ts', [], 3],
  pages: ['pages.ts', [], 5],
  reads: ['reads.ts', [], 6],
  sends: ['sends.ts', [], 5],
  photos: ['photos-beside-traffic.ts', [], 5],
  sockets: ['sockets.ts', [], 20],
  lighthouse: ['lighthouse.ts', [], 6],
  deals: ['deals.ts', [], 20],
  matching: ['matching.ts', [], 10],
  moderation: ['moderation.ts', [], 30],
  'inbox-search': ['inbox-search.ts', [], 10],
  search: ['search.ts', ['100000', '1000000'], 40],
};

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
const selectedNames = process.argv.slice(2);
const unknownBenchmarkNames = selectedNames.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknownBenchmarkNames.length > 0) {
  process.stderr.write(
    `There is no ${unknownBenchmarkNames.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exit(1);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFolder = mkdtempSync(join(tmpdir(), 'quad-bench-results-'));
const resultsFile = join(resultsFolder, 'results');
writeFileSync(resultsFile, '');

const runBenchmark = async (name: string): Promise<boolean> => {
  const [script, args, minutes] = benchmarks[name] ?? ['', [], 0];
  printLine(`\n## ${name}\n`);
  const child = spawn(process.execPath, [join('bench', script), ...args], {
    cwd: root,
    env: { ...process.env, BENCH_RESULTS: resultsFile },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const timeout = setTimeout(() => child.kill('SIGTERM'), minutes * 60_000);
  const [code] = await once(child, 'exit');
  clearTimeout(timeout);
  return code === 0;
};

try {
  const failed: string[] = [];
  const wanted = selectedNames.length > 0 ? selectedNames : Object.keys(benchmarks);
  for (const name of wanted) if (!(await runBenchmark(name))) failed.push(name);
  const all = readResults(resultsFile);
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  printLine(`\n${availableParallelism()} cores, ${memory} GB of memory, load ${load} at the end\n`);
  printLine(formatResultTable(all));
  const missed = all.filter(({ met }) => met === false).length;
  printLine(`\n${missed} goals missed${failed.length > 0 ? `; not finished: ${failed.join(', ')}` : ''}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(resultsFolder, { recursive: true, force: true });
}
