import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConditionalWriteHandling, type S3Store, startS3Store } from '#server/testing/s3-store.ts';
import {
  createDiskFileStore,
  type FileStore,
  isFileKey,
  isStoreUnavailable,
  removeStaleFiles,
  type StoredFile,
} from './files.ts';
import { createS3FileStore, type S3Settings } from './files-s3.ts';

const jpegOptions = { contentType: 'image/jpeg' };
const listKeys = async (files: FileStore, start: string) =>
  (await Array.fromAsync(files.list(start), ({ key }) => key)).sort();

let folder: string;
let cleanupFunctions: (() => Promise<void>)[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  cleanupFunctions = [];
});
afterEach(async () => {
  for (const close of cleanupFunctions.reverse()) await close();
  await rm(folder, { recursive: true });
});

const startStore = async (conditionalWrites?: ConditionalWriteHandling): Promise<S3Store> => {
  const store = await startS3Store(join(folder, 'bucket'), conditionalWrites);
  cleanupFunctions.push(store.close);
  return store;
};
const openStore = (settings: S3Settings) => {
  const files = createS3FileStore(settings);
  cleanupFunctions.push(files.close);
  return files;
};

/** Settings of a store that cannot be reached, because nothing listens on its port. */
const unreachableStore: S3Settings = {
  endpoint: 'http://127.0.0.1:9',
  region: 'us-east-1',
  bucket: 'quad',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
};

const storeCases: [string, () => Promise<FileStore>][] = [
  ['on disk', async () => createDiskFileStore({ root: join(folder, 'store') })],
  ['in an S3 store', async () => openStore((await startStore()).settings)],
  [
    'in an S3 store that honors conditional writes',
    async () => openStore((await startStore('honored')).settings),
  ],
  [
    'in an S3 store that refuses conditional writes',
    async () => openStore((await startStore('refused')).settings),
  ],
];

describe.each(storeCases)('files %s', (_name, open) => {
  let files: FileStore;
  beforeEach(async () => {
    files = await open();
  });

  test.each([
    ['photo.avif', 'image/avif'],
    ['photo.webp', 'image/webp'],
    ['resume.pdf', 'application/pdf'],
    ['resume.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])('returns the type of %s', async (key, contentType) => {
    await files.put(key, Buffer.from('content'), { contentType });
    expect(await files.read(key)).toMatchObject({ contentType });
  });

  test('returns a stored file with its size and type', async () => {
    expect(await files.put('avatars/u1/1.jpg', Buffer.from('picture'), jpegOptions)).toBe('stored');
    const file = await files.read('avatars/u1/1.jpg');
    expect(file).toMatchObject({
      size: 7,
      contentType: 'image/jpeg',
      etag: expect.stringMatching(/^(W\/)?"[^"]+"$/),
    });
    expect(await text(await (file as StoredFile).open())).toBe('picture');
  });

  test('copies a local file and leaves the original', async () => {
    const source = join(folder, 'upload');
    await writeFile(source, 'bytes');
    await files.put('a/b.jpg@640.webp', { path: source }, { contentType: 'image/webp' });
    expect(await readFile(source, 'utf8')).toBe('bytes');
    expect(await files.read('a/b.jpg@640.webp')).toMatchObject({ size: 5, contentType: 'image/webp' });
  });

  test('copies a stored file, whose copy outlives it', async () => {
    await files.put('a/b.jpg', Buffer.from('picture'), jpegOptions);
    expect(await files.copy('a/b.jpg', 'a/c/d.jpg@640.jpeg')).toBe(true);
    await files.delete('a/b.jpg');
    const copy = await files.read('a/c/d.jpg@640.jpeg');
    expect(copy).toMatchObject({ size: 7, contentType: 'image/jpeg' });
    expect(await text(await (copy as StoredFile).open())).toBe('picture');
  });

  test('copies nothing when there is no such file', async () => {
    expect(await files.copy('a/b.jpg', 'a/c.jpg')).toBe(false);
    expect(await listKeys(files, 'a')).toEqual([]);
  });

  test('never overwrites an existing key, even with twenty concurrent writes', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        files.put('a/one.jpg', Buffer.from(`version ${index}`), jpegOptions),
      ),
    );
    expect(results.filter((result) => result === 'stored')).toHaveLength(1);
    expect(await files.put('a/one.jpg', Buffer.from('later'), jpegOptions)).toBe('exists');
    const winner = await files.read('a/one.jpg');
    expect(await text(await (winner as StoredFile).open())).toBe(`version ${results.indexOf('stored')}`);
    expect(await listKeys(files, 'a')).toEqual(['a/one.jpg']);
  });

  test('promise 40: leaves no file after a write that fails halfway', async () => {
    await expect(files.put('a/x.jpg', { path: join(folder, 'absent') }, jpegOptions)).rejects.toThrow();
    await mkdir(join(folder, 'a folder'));
    await expect(files.put('a/x.jpg', { path: join(folder, 'a folder') }, jpegOptions)).rejects.toThrow();
    expect(await files.read('a/x.jpg')).toBeUndefined();
    expect(await files.put('a/x.jpg', Buffer.from('x'), jpegOptions)).toBe('stored');
  });

  test('deletes a file, and deleting it again succeeds', async () => {
    await files.put('a/x.jpg', Buffer.from('x'), jpegOptions);
    await files.delete('a/x.jpg');
    await files.delete('a/x.jpg');
    expect(await files.read('a/x.jpg')).toBeUndefined();
  });

  test('lists all files in a folder and its subfolders with the time they were stored', async () => {
    const before = Date.now() - 2000;
    const below = Array.from({ length: 8 }, (_, index) => `a/u${index % 2}/${index}.jpg`);
    for (const key of [...below, 'b/u1/3.jpg', 'ab/u1/4.jpg'])
      await files.put(key, Buffer.from('x'), jpegOptions);
    expect(await listKeys(files, 'a')).toEqual(below.toSorted());
    expect(await listKeys(files, 'nowhere')).toEqual([]);
    for await (const { storedAt } of files.list('a')) {
      expect(storedAt.getTime()).toBeGreaterThan(before);
      expect(storedAt.getTime()).toBeLessThan(Date.now() + 2000);
    }
  });
});

/** A time that is later than all writes in these tests. */
const timeAfterAllWrites = new Date('9999-01-01T00:00:00Z');

describe('files on disk', () => {
  const root = () => join(folder, 'store');

  test('promise 40: leaves no temporary file after a write that fails halfway', async () => {
    const files = createDiskFileStore({ root: root() });
    await expect(files.put('a/x.jpg', { path: folder }, jpegOptions)).rejects.toThrow();
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(['store', 'store/.incoming']);
  });

  test('removes the temporary file of an interrupted write once it is old enough', async () => {
    const files = createDiskFileStore({ root: root() });
    await mkdir(join(root(), '.incoming'), { recursive: true });
    await writeFile(join(root(), '.incoming', 'half'), 'x');
    await files.removeUnfinished(new Date(0));
    expect(await readdir(join(root(), '.incoming'))).toEqual(['half']);
    await files.removeUnfinished(timeAfterAllWrites);
    expect(await readdir(join(root(), '.incoming'))).toEqual([]);
  });

  test('removes leftovers of a crash once they are old enough', async () => {
    await mkdir(join(folder, 'work', 'job'), { recursive: true });
    await writeFile(join(folder, 'work', 'job', 'half'), 'x');
    await removeStaleFiles(join(folder, 'work'), new Date(0));
    expect(await readdir(join(folder, 'work'))).toEqual(['job']);
    await removeStaleFiles(join(folder, 'work'), timeAfterAllWrites);
    expect(await readdir(join(folder, 'work'))).toEqual([]);
    await removeStaleFiles(join(folder, 'absent'), new Date());
  });
});

describe('files in an S3 store', () => {
  test('lets one of two concurrent processes store a key when the store honors conditional writes', async () => {
    const store = await startStore('honored');
    const processes = [openStore(store.settings), openStore(store.settings)];
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.all(
        processes.map((files, index) => files.put(`a/${round}.jpg`, Buffer.from(`${index}`), jpegOptions)),
      );
      expect(results.toSorted()).toEqual(['exists', 'stored']);
    }
  });

  test('lists the files on all pages of a paginated listing', async () => {
    const page = (key: string, next?: string) =>
      `<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>
        ${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}
        <Contents><Key>${key}</Key><LastModified>2026-03-02T18:00:00.000Z</LastModified></Contents>
      </ListBucketResult>`;
    const server = createServer(({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://store');
      const isSecond = searchParams.get('continuation-token') === 'more';
      response.setHeader('content-type', 'application/xml');
      response.end(isSecond ? page('a/2.jpg') : page('a/1.jpg', 'more'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    cleanupFunctions.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const files = openStore({ ...unreachableStore, endpoint: `http://127.0.0.1:${port}` });
    expect(await listKeys(files, 'a')).toEqual(['a/1.jpg', 'a/2.jpg']);
  });

  test('check() names the bucket that cannot be used', async () => {
    const { settings } = await startStore();
    await openStore(settings).check();
    for (const wrong of [{ bucket: 'elsewhere' }, { endpoint: unreachableStore.endpoint }]) {
      const files = openStore({ ...settings, ...wrong });
      await expect(files.check()).rejects.toThrow(/^Cannot use the bucket \S+ at QUAD_S3_ENDPOINT http/);
    }
  });

  test('reports an unreachable store as temporarily unavailable, for every call', async () => {
    const files = openStore(unreachableStore);
    const calls = [
      files.read('a/x.jpg'),
      files.put('a/x.jpg', Buffer.from('x'), jpegOptions),
      files.delete('a/x.jpg'),
      Array.fromAsync(files.list('a')),
    ];
    const errors = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    expect(errors.map(isStoreUnavailable)).toEqual([true, true, true, true]);
  });
});

describe.each(storeCases.slice(0, 2))(
  'promise 22: no key reaches files outside the store %s',
  (_name, open) => {
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

    test.each(hostile)('refuses %j as a key', async (key) => {
      const files = await open();
      const listEverything = async () => (await readdir(folder, { recursive: true })).sort();
      const before = await listEverything();
      expect(isFileKey(key)).toBe(false);
      await expect(files.put(key, Buffer.from('x'), jpegOptions)).rejects.toThrow(RangeError);
      expect(await files.read(key)).toBeUndefined();
      await files.delete(key);
      expect(await Array.fromAsync(files.list(key))).toEqual([]);
      expect(await listEverything()).toEqual(before);
    });
  },
);
