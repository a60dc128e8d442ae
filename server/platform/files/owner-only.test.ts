import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPathsAccessibleToOthers } from '#server/testing/file-modes.ts';
import { restrictToOwner } from './owner-only.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-only-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('revokes the access of other accounts to everything in a folder', async () => {
  const root = join(folder, 'files');
  for (const below of ['forms/1', 'avatars/u1', '.incoming']) {
    await mkdir(join(root, below), { recursive: true });
    await writeFile(join(root, below, 'file'), 'x');
    await chmod(join(root, below), 0o755);
    await chmod(join(root, below, 'file'), 0o644);
  }
  await restrictToOwner(root);
  expect(await listPathsAccessibleToOthers(root)).toEqual([]);
  expect((await stat(root)).mode & 0o777).toBe(0o700);
});

test('continues after an interrupted run and skips finished folders', async () => {
  const root = join(folder, 'files');
  const createFolder = async (name: string) => {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'file'), 'x');
    await chmod(join(root, name, 'file'), 0o644);
  };
  await createFolder('done');
  await createFolder('left');
  await chmod(join(root, 'done'), 0o700);
  await chmod(join(root, 'left'), 0o755);
  await chmod(root, 0o700);
  await restrictToOwner(root);
  expect(await listPathsAccessibleToOthers(root)).toEqual([join('done', 'file')]);
});

test('ignores a missing folder', async () => {
  await restrictToOwner(join(folder, 'nowhere'));
});
