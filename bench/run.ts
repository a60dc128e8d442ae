/**
 * `npm run bench`: all benchmarks, one after the other, and one table of all results at the end. Arguments select parts:
 * `npm run bench -- pages reads`. A part that exceeds its timeout is stopped and counts as failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResults, tableOf } from './results.ts';

/** Script, arguments, and timeout in minutes. */
const parts: Record<string, [script: string, args: string[], minutes: number]> = {
  start: ['start-time.ts', [], 2],
  weight: ['weight.ts', [], 3],
  pages: ['pages.ts', [], 5],
  reads: ['reads.ts', [], 6],
  sends: ['sends.ts', [], 5],
  photos: ['photos-beside-traffic.ts', [], 5],
  sockets: ['sockets.ts', [], 20],
  lighthouse: ['lighthouse.ts', [], 6],
  search: ['search.ts', ['100000', '1000000'], 40],
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}\n`);
  process.exit(1);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'quad-bench-results-'));
const results = join(folder, 'results');
writeFileSync(results, '');

const runPart = async (name: string): Promise<boolean> => {
  const [script, args, minutes] = parts[name] ?? ['', [], 0];
  say(`\n## ${name}\n`);
  const child = spawn(process.execPath, [join('bench', script), ...args], {
    cwd: root,
    env: { ...process.env, BENCH_RESULTS: results },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const tooLong = setTimeout(() => child.kill('SIGTERM'), minutes * 60_000);
  const [code] = await once(child, 'exit');
  clearTimeout(tooLong);
  return code === 0;
};

try {
  const failed: string[] = [];
  const wanted = chosen.length > 0 ? chosen : Object.keys(parts);
  for (const name of wanted) if (!(await runPart(name))) failed.push(name);
  const all = readResults(results);
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  say(`\n${availableParallelism()} cores, ${memory} GB of memory, load ${load} at the end\n`);
  say(tableOf(all));
  const missed = all.filter(({ met }) => met === false).length;
  say(`\n${missed} goals missed${failed.length > 0 ? `; not finished: ${failed.join(', ')}` : ''}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
