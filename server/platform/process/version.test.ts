import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from './version.ts';

test('the changelog begins with the version of package.json', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  expect(/^## (\S+)$/m.exec(changelog)?.[1]).toBe(version);
});
