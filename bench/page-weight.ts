/**
 * Runs `tools/page-weight.mjs`, which prints the compressed sizes of the scripts and styles that a first
 * visit to each public page loads. Records the largest size of scripts and of styles.
 */
import { spawnSync } from 'node:child_process';
import { recordResult } from './results.ts';

/** Maximum gzip-compressed sizes in KB. */
const budgets = { script: 150, styles: 20 };

const { stdout, status } = spawnSync(process.execPath, ['tools/page-weight.mjs'], { encoding: 'utf8' });
process.stdout.write(stdout);
for (const [what, goal] of Object.entries(budgets)) {
  const weights = [...stdout.matchAll(new RegExp(`([\\d.]+) KB of ${what}`, 'g'))].map(([, it]) =>
    Number(it),
  );
  const heaviest = Math.max(...weights);
  recordResult({
    what: `${what} of the heaviest public page, gzip`,
    ours: `${heaviest} KB`,
    goal: `≤ ${goal} KB`,
    met: heaviest <= goal,
  });
}
process.exitCode = status ?? 1;
