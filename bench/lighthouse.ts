/**
 * `npm run bench:lighthouse`: runs Lighthouse with its phone profile on public pages of the demo campus, as a first visit.
 * Prints the scores and every audit below 0.9. Arguments select pages: `npm run bench:lighthouse -- home listing`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { prepareBrowser } from '../tools/browser.ts';
import { recordResult } from './results.ts';
import { freePort, spawnServer } from './spawned.ts';

const goals: Record<string, number> = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const quad = await spawnServer('server/main.ts', {
  env: { DATA_DIR: dataDir, DEMO: 'on' },
  ready: '/readyz',
});
try {
  const port = await freePort();
  const launch = await prepareBrowser();
  const browser = await chromium.launch({
    ...launch,
    args: [...launch.args, `--remote-debugging-port=${port}`],
  });
  try {
    const home = await (await fetch(quad.origin)).text();
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
      // Without a configuration Lighthouse simulates a mid-range phone on slow 4G.
      const flags: Flags = { port, output: 'json', logLevel: 'error', onlyCategories: Object.keys(goals) };
      const run = await lighthouse(quad.origin + path, flags);
      if (!run) throw new Error(`Lighthouse has no result for ${path}`);
      const { categories, audits } = run.lhr;
      if (process.env.LIGHTHOUSE_REPORTS) {
        writeFileSync(join(process.env.LIGHTHOUSE_REPORTS, `${name}.json`), JSON.stringify(run.lhr, null, 1));
      }
      const scores = Object.entries(goals).map(([id, goal]) => {
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
      for (const { id, title, score, displayValue } of Object.values(audits)) {
        if (score === null || score >= 0.9) continue;
        printLine(`  ${score.toFixed(2)} ${id}: ${title}${displayValue ? ` (${displayValue})` : ''}`);
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await quad.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
