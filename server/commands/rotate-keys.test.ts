import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigningKeyStore } from '#server/features/accounts/signing-key-service.ts';
import { systemClock } from '#server/platform/clock.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { runCommand } from '#server/testing/run-command.ts';

let database: TestDatabase;
let sql: Sql;
let dataDir: string;

const rotateKeys = (...args: string[]) =>
  runCommand('rotate-keys', args, { DATA_DIR: dataDir, DATABASE_URL: database.url });

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 2 });
  dataDir = await mkdtemp(join(tmpdir(), 'quad-rotate-'));
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

test('promise 48: a command publishes a new key for running processes and leaves secrets.json as it is', {
  timeout: 60_000,
}, async () => {
  const { pepper } = await loadSecrets(dataDir);
  const secretsFile = join(dataDir, 'secrets.json');
  const before = await readFile(secretsFile, 'utf8');
  expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
  const [old] = await createSigningKeyStore({ sql, clock: systemClock, pepper }, []).list();

  const { code, out, err } = await rotateKeys();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const keys = await createSigningKeyStore({ sql, clock: systemClock, pepper }, []).list();
  expect(keys.map(({ kid }) => kid)).toEqual([old?.kid, expect.any(String)]);
  expect(out).toContain(
    `Key ${keys[1]?.kid} is published and signs from ${keys[1]?.signsFrom.toISOString()} on`,
  );
  expect(await readFile(secretsFile, 'utf8')).toBe(before);

  expect(await rotateKeys()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^A rotation is under way: .*\n$/),
  });
  expect(await rotateKeys('now')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Usage: npm run rotate-keys\n/),
  });
});
