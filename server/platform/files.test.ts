import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Files, StoredFile } from './files.ts';
import { createDiskFiles, isFileKey, removeLeftovers } from './files.ts';

let folder: string;
let root: string;
let files: Files;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  root = join(folder, 'store');
  files = createDiskFiles({ root });
});
afterEach(() => rm(folder, { recursive: true }));

const jpeg = { contentType: 'image/jpeg' };
const everything = async () => (await readdir(folder, { recursive: true })).sort();

describe('files on disk', () => {
  test('what was put is read back with its size and type', async () => {
    expect(await files.put('avatars/u1/1.jpg', Buffer.from('picture'), jpeg)).toBe('stored');
    const file = await files.read('avatars/u1/1.jpg');
    expect(file).toMatchObject({
      size: 7,
      contentType: 'image/jpeg',
      etag: expect.stringMatching(/^W?\/?"/),
    });
    expect(await text(await (file as StoredFile).open())).toBe('picture');
  });

  test('a local file is copied in and left where it was', async () => {
    const source = join(folder, 'upload');
    await writeFile(source, 'bytes');
    await files.put('a/b.jpg@640.webp', { path: source }, { contentType: 'image/webp' });
    expect(await readFile(source, 'utf8')).toBe('bytes');
    expect(await files.read('a/b.jpg@640.webp')).toMatchObject({ size: 5, contentType: 'image/webp' });
  });

  test('an existing key is never overwritten, not even by twenty at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => files.put('a/one.jpg', Buffer.from(`version ${index}`), jpeg)),
    );
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1);
    const winner = answers.indexOf('stored');
    expect(await readFile(join(root, 'a/one.jpg'), 'utf8')).toBe(`version ${winner}`);
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });

  test('promise 40: a write that fails half-way leaves nothing behind', async () => {
    await expect(files.put('a/x.jpg', { path: join(folder, 'absent') }, jpeg)).rejects.toThrow();
    await mkdir(join(folder, 'a folder'));
    await expect(files.put('a/x.jpg', { path: join(folder, 'a folder') }, jpeg)).rejects.toThrow();
    expect(await everything()).toEqual(['a folder', 'store', 'store/.incoming']);
  });

  test('a deleted file is gone, deleting it again is no error', async () => {
    await files.put('a/x.jpg', Buffer.from('x'), jpeg);
    await files.delete('a/x.jpg');
    await files.delete('a/x.jpg');
    expect(await files.read('a/x.jpg')).toBeUndefined();
  });

  test('a folder is listed with everything below it', async () => {
    await files.put('a/u1/1.jpg', Buffer.from('x'), jpeg);
    await files.put('a/u2/2.jpg', Buffer.from('x'), jpeg);
    await files.put('b/u1/3.jpg', Buffer.from('x'), jpeg);
    expect((await Array.fromAsync(files.list('a'))).sort()).toEqual(['a/u1/1.jpg', 'a/u2/2.jpg']);
    expect(await Array.fromAsync(files.list('nowhere'))).toEqual([]);
  });

  test('an interrupted write is cleared away once it is old enough', async () => {
    await mkdir(join(root, '.incoming'), { recursive: true });
    await writeFile(join(root, '.incoming', 'half'), 'x');
    await files.removeUnfinished(new Date(0));
    expect(await readdir(join(root, '.incoming'))).toEqual(['half']);
    await files.removeUnfinished(new Date(Date.now() + 1000));
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });

  test('leftovers of a crash are removed once they are old enough', async () => {
    await mkdir(join(folder, 'work', 'job'), { recursive: true });
    await writeFile(join(folder, 'work', 'job', 'half'), 'x');
    await removeLeftovers(join(folder, 'work'), new Date(0));
    expect(await readdir(join(folder, 'work'))).toEqual(['job']);
    await removeLeftovers(join(folder, 'work'), new Date(Date.now() + 1000));
    expect(await readdir(join(folder, 'work'))).toEqual([]);
    await removeLeftovers(join(folder, 'absent'), new Date());
  });
});

describe('promise 22: a key never leaves the root', () => {
  const hostile = [
    '',
    '.',
    '..',
    '../outside.jpg',
    'a/../../outside.jpg',
    'a/./b.jpg',
    '/etc/passwd',
    'a//b.jpg',
    'a/',
    'a\\..\\b.jpg',
    '%2e%2e/outside.jpg',
    'a/%2e%2e%2foutside.jpg',
    'a/b\0.jpg',
    'a/b\n.jpg',
    'a/‮gpj.jpg',
    '.incoming/x',
    `a/${'n'.repeat(4096)}`,
    `${'a/'.repeat(400)}b`,
  ];

  test.each(hostile)('%j is no key', async (key) => {
    expect(isFileKey(key)).toBe(false);
    await expect(files.put(key, Buffer.from('x'), jpeg)).rejects.toThrow(RangeError);
    expect(await files.read(key)).toBeUndefined();
    await files.delete(key);
    expect(await Array.fromAsync(files.list(key))).toEqual([]);
    expect(await everything()).toEqual([]);
  });
});
