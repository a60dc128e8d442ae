import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serverVersion } from './version.ts';

test('the newest version in the changelog is the version in package.json', () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  expect(/^## (\S+)/m.exec(changelog)?.[1]).toBe(serverVersion);
});
