import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessTokenSeconds } from '#contract/accounts.ts';
import { secondsAfter } from '#server/platform/clock.ts';
import { loadSecrets, rotateSigningKey } from '#server/platform/secrets.ts';
import { startTestApp } from '#server/testing/app.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quad-keys-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('11. after the signing key was rotated, living sessions go on, and new tokens carry the new key', async () => {
  const before = await startTestApp({ deps: { secrets: await loadSecrets(dataDir) } });
  const person = await before.signIn();
  const { kid } = await rotateSigningKey(dataDir, before.clock.now(), accessTokenSeconds);
  const secrets = await loadSecrets(dataDir);
  const after = await startTestApp({ deps: { secrets, sql: before.sql, clock: before.clock } });

  expect((await after.app.inject({ url: '/rest/v1/me', headers: person.headers })).statusCode).toBe(200);
  const renewed = await after.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: person.refreshToken },
  });
  expect(renewed.statusCode).toBe(200);
  const [head = ''] = renewed.json().access_token.split('.');
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ kid, alg: 'ES256' });
  const { keys } = (await after.app.inject({ url: '/auth/v1/.well-known/jwks.json' })).json();
  expect(keys).toHaveLength(2);
  expect(JSON.stringify(keys)).not.toContain('"d"');
  await after.app.close();
  await before.close();
});

test('a retired key loses its private part, and goes when nothing it signed can be alive; the pepper stays', async () => {
  const { pepper, signing } = await loadSecrets(dataDir);
  const now = new Date('2026-03-01T12:00:00Z');
  await rotateSigningKey(dataDir, now, accessTokenSeconds);
  const rotated = await loadSecrets(dataDir);
  expect(rotated.signing.map(({ jwk }) => 'd' in jwk)).toEqual([true, false]);
  expect(rotated.signing[1]?.kid).toBe(signing[0]?.kid);
  expect(rotated.pepper).toEqual(pepper);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  await rotateSigningKey(dataDir, secondsAfter(now, 26 * 3600), accessTokenSeconds);
  expect((await loadSecrets(dataDir)).signing).toHaveLength(2);
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(signing[0]?.kid);
  await expect(rotateSigningKey(join(dataDir, 'elsewhere'), now, accessTokenSeconds)).rejects.toThrow(
    'There is no',
  );
});
