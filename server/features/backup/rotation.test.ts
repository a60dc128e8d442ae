import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecrets } from '#server/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

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
 * exit code and standard error.
 */
const runBackupScript = (environment: Record<string, string> = {}) =>
  new Promise<{ code: number | string; err: string }>((done) => {
    const env = {
      PATH: process.env.PATH,
      QUAD_DATA_DIR: join(temporaryFolder, 'data'),
      QUAD_DATABASE_URL: database.url,
      ...environment,
    };
    const options = { cwd: projectFolder, env };
    execFile(join(projectFolder, 'ops', 'quad-backup'), [backupsFolder, '2'], options, (error, _out, err) =>
      done({ code: error?.code ?? 0, err }),
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
  expect(await runBackupScript()).toMatchObject({ code: 0 });
  const left = (await readdir(backupsFolder)).sort();
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['2026-01-03T03-30-00Z', 'before-upgrade']));
  expect(await readdir(join(backupsFolder, left[1] ?? ''))).toContain('manifest.json');
});

test('a failing backup removes only incomplete earlier backups', { timeout: 60_000 }, async () => {
  await mkdir(backupsFolder, { recursive: true });
  const before = await readdir(backupsFolder);
  await mkdir(join(backupsFolder, '2026-01-05T03-30-00Z'));
  const QUAD_DATABASE_URL = 'postgres://nobody@127.0.0.1:9/nothing';
  expect(await runBackupScript({ QUAD_DATABASE_URL })).toMatchObject({ code: 1 });
  expect(await readdir(backupsFolder)).toEqual(before);
});

/**
 * Runs the script beside an incomplete backup and expects exit code 1; returns its error message, and the content of
 * the incomplete backup, or undefined if it was removed.
 */
const runRefusedBackupScript = async (environment?: Record<string, string>) => {
  const incomplete = join(backupsFolder, '2026-01-06T03-30-00Z');
  await mkdir(incomplete, { recursive: true });
  const { code, err } = await runBackupScript(environment);
  expect(code).toBe(1);
  return { err, left: await readdir(incomplete).catch(() => undefined) };
};

test('a second run at the same time is refused and removes nothing', async () => {
  await mkdir(backupsFolder, { recursive: true });
  const holder = spawn('flock', [backupsFolder, 'sh', '-c', 'echo locked; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(await runRefusedBackupScript()).toEqual({
    err: `Another run of quad-backup is writing to ${backupsFolder}.\n`,
    left: [],
  });
  holder.stdin.end();
  await once(holder, 'close');
});

test('without flock, the script reports that it needs flock and removes nothing', async () => {
  expect(await runRefusedBackupScript({ PATH: temporaryFolder })).toEqual({
    err: 'quad-backup needs flock (util-linux).\n',
    left: [],
  });
});
