import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { listPathsAccessibleToOthers } from '#server/testing/file-modes.ts';
import { loadPagesBuild } from './load-build.ts';
import { getPublishedBuildsFolder, publishBuild } from './published-builds.ts';

const temporaryFolders: string[] = [];
const createTemporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'quad-builds-'));
  temporaryFolders.push(folder);
  return folder;
};

/**
 * Creates a client folder with one script, in plain and Brotli-compressed form; returns its path.
 */
const createBuildFolder = async (name: string): Promise<string> => {
  const folder = await createTemporaryFolder();
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', `${name}.js`), `run('${name}')`);
  await writeFile(join(folder, 'assets', `${name}.js.br`), 'compressed');
  return folder;
};

afterAll(async () => {
  for (const folder of temporaryFolders) await rm(folder, { recursive: true, force: true });
});

describe('promise 49: files of earlier builds', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
    await publishBuild(testApp.dataDir, await createBuildFolder('old-1a2b3c'), testApp.clock);
  });
  afterAll(() => testApp.close());
  const get = (url: string, headers: Record<string, string> = {}) => testApp.server.inject({ url, headers });

  test('are served while they are published, with the same headers as files of the current build', async () => {
    const reply = await get('/assets/old-1a2b3c.js');
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe("run('old-1a2b3c')");
    expect(reply.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  test('are readable only by the operating system account of the server', async () => {
    expect(await listPathsAccessibleToOthers(testApp.dataDir)).toEqual([]);
  });

  test('are sent compressed to a browser that accepts it', async () => {
    const reply = await get('/assets/old-1a2b3c.js', { 'accept-encoding': 'br' });
    expect(reply.headers['content-encoding']).toBe('br');
    expect(reply.body).toBe('compressed');
  });

  test.each([
    '/assets/unknown-1a2b3c.js',
    '/assets/old-1a2b3c.js.br',
    '/assets/..%2f..%2fsecrets.json',
    '/assets/../../../secrets.json',
    '/assets/',
    '/assets/%00',
  ])('%s is not found', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });
});

test('promise 49: a build that no server has used for a day is removed, and a build in use is kept', async () => {
  const [dataDir, first, second] = [
    await createTemporaryFolder(),
    await createBuildFolder('first'),
    await createBuildFolder('second'),
  ];
  const clock = createTestClock();
  await publishBuild(dataDir, first, clock);
  const inUse = async () =>
    (await readdir(getPublishedBuildsFolder(dataDir), { recursive: true })).filter((name) =>
      name.endsWith('.js'),
    );
  clock.advance(24 * 3600);
  await publishBuild(dataDir, second, clock);
  expect(await inUse()).toHaveLength(2);
  clock.advance(2 * 3600);
  await publishBuild(dataDir, second, clock);
  expect(await inUse()).toEqual([expect.stringMatching(/second\.js$/)]);
});

test('publishing again, by several processes at once, changes nothing', async () => {
  const [dataDir, build] = [await createTemporaryFolder(), await createBuildFolder('same')];
  const clock = createTestClock();
  await Promise.all([1, 2, 3].map(() => publishBuild(dataDir, build, clock)));
  expect(await readdir(getPublishedBuildsFolder(dataDir))).toHaveLength(1);
});

test('an entry that another process removes at the same moment is skipped', async () => {
  const [dataDir, build] = [await createTemporaryFolder(), await createBuildFolder('same')];
  await publishBuild(dataDir, build, createTestClock());
  // A dangling symbolic link is listed, but cannot be examined, just like a folder that has just been
  // removed.
  await symlink(join(dataDir, 'removed'), join(getPublishedBuildsFolder(dataDir), 'removed'));
  await expect(publishBuild(dataDir, build, createTestClock())).resolves.toBeUndefined();
});

test('a checkout that was never built publishes nothing', async () => {
  const dataDir = await createTemporaryFolder();
  await publishBuild(dataDir, join(dataDir, 'nowhere'), createTestClock());
  expect(existsSync(getPublishedBuildsFolder(dataDir))).toBe(false);
});
