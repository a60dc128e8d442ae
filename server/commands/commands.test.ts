import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/platform/database.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { silentLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrations.ts';
import { loadSecrets } from '#server/platform/secrets.ts';

let root: string;
let dataDir: string;
let stopDatabase: () => Promise<void>;

/** Runs a command as npm does, in a process of its own. */
const run = (name: string, args: string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((done) => {
    const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, INIT_CWD: root, ...environment };
    execFile(process.execPath, [file, ...args], { env }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'quad-commands-'));
  dataDir = join(root, 'data');
  const database = await startEmbeddedDatabase({ dataDir, log: silentLog, settings: { fsync: 'off' } });
  stopDatabase = database.stop;
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  await loadSecrets(dataDir);
  const sql = openDatabase(database.url, { max: 1 });
  await sql`INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now())`;
  await sql.end();
});
afterAll(async () => {
  await stopDatabase();
  await rm(root, { recursive: true });
});

test('a backup is made beside whoever keeps the built-in database, and restored into a new one', {
  timeout: 120_000,
}, async () => {
  expect(await run('backup', ['kept'])).toEqual({
    code: 0,
    out: `Backed up 1 rows and 0 files to ${join(root, 'kept')}\n`,
    err: '',
  });
  expect((await stat(join(root, 'kept', 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(root, 'kept'))).mode & 0o777).toBe(0o700);

  const copy = { DATA_DIR: join(root, 'copy') };
  expect(await run('restore', ['kept'], copy)).toMatchObject({ code: 0, err: '' });
  expect(await run('restore', ['kept'], copy)).toMatchObject({
    code: 1,
    err: 'The database is not empty: a backup is restored into an empty one only.\n',
  });
  // The copy's own database runs for as long as the command does.
  expect(await run('backup', ['again'], copy)).toMatchObject({ code: 0, err: '' });
});

test.each([
  ['restore', [], 2, /^Usage: npm run restore -- folder/],
  ['backup', ['--help'], 2, /^Usage: npm run backup/],
  ['restore', ['nowhere'], 1, /holds no whole backup: it has no manifest\.json\.\n$/],
])('%s %j ends with one clear line', async (name, args, code, line) => {
  const answer = await run(name, args, { DATA_DIR: join(root, 'unused') });
  expect(answer.code).toBe(code);
  expect(answer.err).toMatch(line);
  expect(answer.err.trim().split('\n')).toHaveLength(1);
});
