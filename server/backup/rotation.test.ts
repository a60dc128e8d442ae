import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '#server/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

let database: TestDatabase;
let folder: string;
let root: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'quad-rotation-'));
  root = join(folder, 'backups');
  await loadSecrets(join(folder, 'data'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Runs the script of the backup timer. */
const runBackupScript = (environment: Record<string, string> = {}) =>
  new Promise<number | string>((done) => {
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      ...environment,
    };
    const options = { cwd: project, env };
    execFile(join(project, 'ops', 'quad-backup'), [root, '2'], options, (error) => done(error?.code ?? 0));
  });

test('the nightly backup keeps the newest complete backups and folders that it did not create', {
  timeout: 60_000,
}, async () => {
  const made = ['2026-01-01T03-30-00Z', '2026-01-02T03-30-00Z', '2026-01-03T03-30-00Z'];
  for (const name of [...made, '2026-01-04T03-30-00Z', 'before-upgrade']) {
    await mkdir(join(root, name), { recursive: true });
    if (name !== '2026-01-04T03-30-00Z') await writeFile(join(root, name, 'manifest.json'), '{}');
  }
  expect(await runBackupScript()).toBe(0);
  const left = (await readdir(root)).sort();
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['2026-01-03T03-30-00Z', 'before-upgrade']));
  expect(await readdir(join(root, left[1] ?? ''))).toContain('manifest.json');
});

test('a failing backup removes no earlier backups', { timeout: 60_000 }, async () => {
  const before = await readdir(root);
  expect(await runBackupScript({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })).toBe(1);
  expect(await readdir(root)).toEqual(before);
});
