import { afterEach, expect, test, vi } from 'vitest';
import { createNpmCommand } from './setup/running.mjs';

afterEach(() => vi.unstubAllEnvs());

test('set-up runs the npm that started it', () => {
  vi.stubEnv('npm_execpath', '/opt/npm/bin/npm-cli.js');
  expect(createNpmCommand(['ci'])).toEqual([process.execPath, '/opt/npm/bin/npm-cli.js', 'ci']);
});

test('set-up runs the npm on the PATH when another package manager started it', () => {
  vi.stubEnv('npm_execpath', '/opt/yarn/bin/yarn.js');
  expect(createNpmCommand(['ci']).slice(1)).toEqual(['ci']);
});
