import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateRelease, removeOldReleases } from './release/releases.mjs';

let folder;
const now = new Date();
const daysAgo = (days) => new Date(now.getTime() - days * 24 * 3_600_000);
const release = (name) => join(folder, 'releases', name);
const makeRelease = (name, modified = now) => {
  mkdirSync(release(name), { recursive: true });
  utimesSync(release(name), modified, modified);
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quad-releases-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('promise 49: a new release replaces the current one under the same name, the previous one stays for a day', () => {
  makeRelease('1', daysAgo(9));
  activateRelease(folder, '1');
  makeRelease('2', daysAgo(9));
  activateRelease(folder, '2');
  expect(readlinkSync(join(folder, 'current'))).toBe(join('releases', '2'));
  expect(removeOldReleases(folder, new Date(), [])).toEqual([]);
  expect(removeOldReleases(folder, new Date(Date.now() + 25 * 3_600_000), [])).toEqual(['1']);
  expect(readdirSync(join(folder, 'releases'))).toEqual(['2']);
});

test('promise 49: a release that a process still runs from is not removed', () => {
  for (const name of ['1', '2', '3']) makeRelease(name, daysAgo(2));
  activateRelease(folder, '3');
  const program = join(release('1'), 'node_modules', 'node', 'bin', 'node');
  expect(removeOldReleases(folder, now, [program])).toEqual(['2']);
  expect(readdirSync(join(folder, 'releases'))).toEqual(['1', '3']);
});

test('an unfinished release is removed after a day, like any other that is not current', () => {
  makeRelease('current');
  activateRelease(folder, 'current');
  makeRelease('unfinished', daysAgo(2));
  makeRelease('in-preparation');
  expect(removeOldReleases(folder, now, [])).toEqual(['unfinished']);
});
