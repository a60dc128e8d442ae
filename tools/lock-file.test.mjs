import { expect, test } from 'vitest';
import { matchesLockFile } from './setup/dependencies.mjs';

const optional = { version: '1.0.0', integrity: 'sha512-a', devOptional: true };
const required = {
  '': { dependencies: {}, devDependencies: { '@types/pg': '1.0.0' } },
  'node_modules/@types/pg': optional,
  'node_modules/other-platform': optional,
};

test('a missing optional package counts as installed unless package.json lists it', () => {
  expect(matchesLockFile(required, { 'node_modules/@types/pg': optional })).toBe(true);
  expect(matchesLockFile(required, { 'node_modules/other-platform': optional })).toBe(false);
});

test('a package with a different version or integrity does not match the lock file', () => {
  const installed = { 'node_modules/@types/pg': { ...optional, version: '2.0.0' } };
  expect(matchesLockFile(required, installed)).toBe(false);
  installed['node_modules/@types/pg'] = { ...optional, integrity: 'sha512-b' };
  expect(matchesLockFile(required, installed)).toBe(false);
});
