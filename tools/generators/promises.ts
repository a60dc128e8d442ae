import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceSection } from '../generating/section.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Generates the table in docs/testing.md that names the test files of each promise. */
export const generate = () => {
  const filesByPromise = new Map<number, Set<string>>();
  for (const file of globSync('{bench,contract,e2e,server,web}/**/*.{test,spec}.{ts,tsx}', {
    cwd: root,
  }).sort())
    for (const [, number] of readFileSync(join(root, file), 'utf8').matchAll(/['"`]promise (\d+): /g)) {
      const files = filesByPromise.get(Number(number)) ?? new Set();
      filesByPromise.set(Number(number), files.add(file));
    }
  const rows = [...filesByPromise]
    .sort(([a], [b]) => a - b)
    .map(([number, files]) => `| ${number} | ${[...files].map((file) => `\`${file}\``).join(', ')} |`);
  return [
    replaceSection('docs/testing.md', 'promises', ['| promise | tests |', '|---|---|', ...rows].join('\n')),
  ];
};
