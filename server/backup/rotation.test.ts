import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '#server/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

let database: TestDatabase;
let temporaryFolder: string;
let backupsFolder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  temporaryFolder = await mkdtemp(join(tmpdir(), 'quad-rotation-'));
  backupsFolder = join(temporaryFolder, 'backups');
  await loadSecrets(join(temporaryFolder, 'data'));
});
afterAll(async () => {
  await database.drop();
  await rm(temporaryFolder, { recursive: true });
});

/**
 * Runs ops/quad-backup, the script that the systemd timer for backups starts; resolves with its
 * exit code.
 */
const runBackupScript = (environment: Record<string, string> = {}) =>
  new Promise<number | string>((done) => {
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: join(temporaryFolder, 'data'),
      DATABASE_URL: database.url,
      ...environment,
    };
    const options = { cwd: projectFolder, env };
    execFile(join(projectFolder, 'ops', 'quad-backup'), [backupsFolder, '2'], options, (error) =>
      done(error?.code ?? 0),
    );
  });

test('the nightly backup keeps the newest complete backups and folders that it did not create', {
  timeout: 60_000,
}, async () => {
  const made = ['2026-01-01T03-30-00Z', '2026-01-02T03-30-00Z', '2026-01-03T03-30-00Z'];
  for (const name of [...made, '2026-01-04T03-30-00Z', 'before-upgrade']) {
    await mkdir(join(backupsFolder, name), { recursive: true });
    if (name !== '2026-01-04T03-30-00Z') await writeFile(join(backupsFolder, name, 'manifest.json'), '{}');
  }
  expect(await runBackupScript()).toBe(0);
  const left = (await readdir(backupsFolder)).sort();
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['2026-01-03T03-30-00Z', 'before-upgrade']));
  expect(await readdir(join(backupsFolder, left[1] ?? ''))).toContain('manifest.json');
});

test('a failing backup removes only incomplete earlier backups', { timeout: 60_000 }, async () => {
  const before = await readdir(backupsFolder);
  await mkdir(join(backupsFolder, '2026-01-05T03-30-00Z'));
  expect(await runBackupScript({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' })).toBe(1);
  expect(await readdir(backupsFolder)).toEqual(before);
});
