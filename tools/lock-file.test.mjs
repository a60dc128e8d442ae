import { expect, test } from 'vitest';
import { matchesLockFile } from './setup/dependencies.mjs';
import { isSupportedNode } from './setup/node-version.mjs';

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

test('a missing package that is made for this machine counts as missing, as after an install by an unsuitable Node', () => {
  const native = { ...optional, os: [process.platform], cpu: [process.arch] };
  const matches = (want) => matchesLockFile({ '': {}, 'node_modules/native': want }, {});
  expect(matches(native)).toBe(false);
  expect(matches({ ...native, cpu: ['another'] })).toBe(true);
  expect(matches({ ...native, libc: ['glibc', 'musl'] })).toBe(false);
  expect(matches({ ...native, libc: ['another'] })).toBe(true);
});

test.each([
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['24.0.0', true],
  ['26.12.1', true],
])('Node %s can install the dependencies: %s', (version, expected) => {
  expect(isSupportedNode(version)).toBe(expected);
});

test('a package with a different version or integrity does not match the lock file', () => {
  const installed = { 'node_modules/@types/pg': { ...optional, version: '2.0.0' } };
  expect(matchesLockFile(required, installed)).toBe(false);
  installed['node_modules/@types/pg'] = { ...optional, integrity: 'sha512-b' };
  expect(matchesLockFile(required, installed)).toBe(false);
});
