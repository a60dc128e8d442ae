/**
 * `npm run bench:lighthouse`: runs Lighthouse with its phone profile on public pages of the demo campus, as a first visit,
 * three times each. Prints the scores of the run with the median performance, its metrics, and every audit below 0.9.
 * Arguments select pages: `npm run bench:lighthouse -- home listing`. Lighthouse is large, so it is installed here, in
 * `bench/lighthouse/`, only when this benchmark runs.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { prepareBrowser } from '../tools/browser.ts';
import { recordResult } from './results.ts';
import { findFreePort, spawnServer } from './spawn-server.ts';

const minScores: Record<string, number> = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
const runsPerPage = 3;
const metricIds = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
];
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = join(import.meta.dirname, 'lighthouse');
const program = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');

/** The part of a result of Lighthouse that is printed here. */
interface Result {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { id: string; title: string; score: number | null; displayValue?: string }>;
}

const getPerformanceScore = ({ categories }: Result): number => categories.performance?.score ?? 0;

/** Measures a page several times and returns the result with the median performance score. */
const measurePage = async (url: string, port: number): Promise<Result> => {
  const runs: Result[] = [];
  while (runs.length < runsPerPage) {
    // Without a configuration, Lighthouse simulates a mid-range phone on slow 4G.
    const options = ['--output=json', '--quiet', `--only-categories=${Object.keys(minScores).join(',')}`];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, url, `--port=${port}`, ...options],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    runs.push(JSON.parse(stdout) as Result);
  }
  runs.sort((one, other) => getPerformanceScore(one) - getPerformanceScore(other));
  return runs[Math.floor(runsPerPage / 2)] as Result;
};

if (!existsSync(program))
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const quadServer = await spawnServer('server/main.ts', {
  env: { QUAD_DATA_DIR: dataDir, QUAD_DEMO: 'on' },
  ready: '/readyz',
});
try {
  const port = await findFreePort();
  const launch = await prepareBrowser();
  const browser = await chromium.launch({
    ...launch,
    args: [...launch.args, `--remote-debugging-port=${port}`],
  });
  try {
    const home = await (await fetch(quadServer.origin)).text();
    const [listing = ''] = /\/product\/[a-z0-9-]+/.exec(home) ?? [];
    const pages: Record<string, string> = {
      home: '/',
      category: '/category/furniture',
      listing: listing.replace('/product/', '/listing/'),
      search: '/search?q=desk',
    };
    const chosen = process.argv.slice(2);
    for (const [name, path] of Object.entries(pages)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      const result = await measurePage(quadServer.origin + path, port);
      const { categories, audits } = result;
      if (process.env.LIGHTHOUSE_REPORTS) {
        writeFileSync(join(process.env.LIGHTHOUSE_REPORTS, `${name}.json`), JSON.stringify(result, null, 1));
      }
      const scores = Object.entries(minScores).map(([id, goal]) => {
        const score = Math.round((categories[id]?.score ?? 0) * 100);
        recordResult({
          what: `Lighthouse, ${name}: ${id}`,
          ours: String(score),
          limit: '100',
          ratio: score / 100,
          goal: goal === 100 ? '100' : `≥ ${goal}`,
          met: score >= goal,
        });
        return `${id} ${score}`;
      });
      printLine(`\n${name} (${path}): ${scores.join(', ')}`);
      printLine(`  ${metricIds.map((id) => `${audits[id]?.title} ${audits[id]?.displayValue}`).join(', ')}`);
      for (const { id, title, score, displayValue } of Object.values(audits)) {
        if (score === null || score >= 0.9) continue;
        printLine(`  ${score.toFixed(2)} ${id}: ${title}${displayValue ? ` (${displayValue})` : ''}`);
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await quadServer.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
