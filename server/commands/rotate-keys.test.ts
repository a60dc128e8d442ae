import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSigningKeyCache } from '#server/features/accounts/signing-key-cache.ts';
import { readSigningKeys } from '#server/features/accounts/signing-keys.ts';
import { systemClock } from '#server/platform/clock.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { runCommand } from '#server/testing/run-command.ts';

let testApp: TestApp;
let dataDir: string;

const rotateKeys = (...args: string[]) =>
  runCommand('rotate-keys', args, { QUAD_DATA_DIR: dataDir, QUAD_DATABASE_URL: testApp.databaseUrl });

/** Returns the keys of the database, which another process may have changed. */
const readStoredKeys = async () =>
  (await readSigningKeys({ ...testApp.app, signingKeys: createSigningKeyCache() })).keys;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quad-rotate-'));
  testApp = await startTestApp({ replace: { clock: systemClock, secrets: await loadSecrets(dataDir) } });
});
afterAll(async () => {
  await testApp.close();
  await rm(dataDir, { recursive: true });
});

test('promise 48: a command publishes a new key for running processes and leaves secrets.json as it is', {
  timeout: 60_000,
}, async () => {
  const secretsFile = join(dataDir, 'secrets.json');
  const before = await readFile(secretsFile, 'utf8');
  expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
  const [old] = await readStoredKeys();

  const { code, out, err } = await rotateKeys();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const keys = await readStoredKeys();
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
    err: expect.stringMatching(/^error: too many arguments/),
  });
});
