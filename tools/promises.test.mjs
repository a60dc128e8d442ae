import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the numbers that the first group of a pattern matches in a text, each once and in ascending order. */
const collectNumbers = (text, pattern) =>
  [...new Set([...text.matchAll(pattern)].map(([, number]) => Number(number)))].sort((a, b) => a - b);

test('every promise in docs/promises.md has a test, and every promise in a test title is listed there', () => {
  const listed = collectNumbers(readFileSync(join(root, 'docs/promises.md'), 'utf8'), /^(\d+)\. /gm);
  const tests = globSync('{bench,contract,e2e,server,web}/**/*.{test,spec}.{ts,tsx}', { cwd: root });
  const titles = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  expect(collectNumbers(titles, /['"`]promise (\d+): /g)).toEqual(listed);
});
