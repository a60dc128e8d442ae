/** Size of the first load of public pages, as measured by `tools/weight.mjs`: the largest one counts. */
import { spawnSync } from 'node:child_process';
import { record } from './results.ts';

const most = { script: 135, styles: 20 };

const { stdout, status } = spawnSync(process.execPath, ['tools/weight.mjs'], { encoding: 'utf8' });
process.stdout.write(stdout);
for (const [what, goal] of Object.entries(most)) {
  const weights = [...stdout.matchAll(new RegExp(`([\\d.]+) KB of ${what}`, 'g'))].map(([, it]) =>
    Number(it),
  );
  const heaviest = Math.max(...weights);
  record({
    what: `${what} of the heaviest public page, gzip`,
    ours: `${heaviest} KB`,
    goal: `≤ ${goal} KB`,
    met: heaviest <= goal,
  });
}
process.exitCode = status ?? 1;
