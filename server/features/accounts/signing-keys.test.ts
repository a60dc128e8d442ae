import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/platform/process/log.ts';
import { generateSecrets, generateSigningKey, loadSecrets, type Secrets } from '#server/platform/secrets.ts';
import type { ServerOptions } from '#server/start/http-server.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock, type TestClock } from '#server/testing/clock.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';
import { createSigningKeyCache } from './signing-key-cache.ts';
import { readSigningKeys, rotateSigningKey } from './signing-keys.ts';

const minuteInSeconds = 60;
const startTime = new Date('2026-03-02T18:00:00.000Z');

let secrets: Secrets;
let firstServer: TestApp;
const otherServers: TestApp[] = [];
beforeEach(async () => {
  secrets = generateSecrets();
  firstServer = await startTestApp({ replace: { secrets } });
});
afterEach(async () => {
  for (const app of otherServers.splice(0)) await app.close();
  await firstServer.close();
});

/** Starts another process on the same database. */
const startSecondProcess = async (
  clock: TestClock,
  given: Secrets = secrets,
  logger?: ServerOptions['logger'],
): Promise<TestApp> => {
  const app = await startTestApp({ replace: { secrets: given, sql: firstServer.sql, clock, logger } });
  otherServers.push(app);
  return app;
};

const getKeyId = (token: string) => decodeProtectedHeader(token).kid;
const fetchMeStatus = async ({ server }: TestApp, token: string): Promise<number> =>
  (await server.inject({ url: '/rest/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode;
const fetchKeySet = async ({ server }: TestApp): Promise<JSONWebKeySet> =>
  (await server.inject({ url: '/auth/v1/.well-known/jwks.json' })).json();
const rotateAt = (clock: TestClock, given: Secrets = secrets) =>
  rotateSigningKey({
    ...firstServer.app,
    clock,
    secrets: given,
    actor: { name: 'shell:ada', reason: 'test' },
  });

const renewSession = async ({ server }: TestApp, { refreshToken }: { refreshToken: string }) => {
  const response = await server.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: refreshToken },
  });
  return response.json();
};
const refreshAccessToken = async (testApp: TestApp, person: { refreshToken: string }): Promise<string> => {
  const { access_token: token, refresh_token: next } = await renewSession(testApp, person);
  person.refreshToken = next;
  return token;
};

/**
 * Starts two server processes whose clocks differ by `skew` seconds, and a client that caches the
 * public keys. The test can restart each process.
 */
const startServerPair = async (skew: number) => {
  const clocks = [
    createTestClock(startTime),
    createTestClock(new Date(startTime.getTime() + skew * 1000)),
  ] as const;
  const apps = [await startSecondProcess(clocks[0]), await startSecondProcess(clocks[1])];
  const people: Person[] = await Promise.all(apps.map((app) => app.signIn()));
  const tokens: { token: string; expiresAt: number }[] = [];
  let kept: { keys: JSONWebKeySet; until: number } | undefined;
  return {
    clocks,
    restart: async (index: 0 | 1) => {
      await apps[index]?.server.close();
      apps[index] = await startSecondProcess(clocks[index]);
    },
    /**
     * Checks that each process issues a token and accepts every unexpired token of both processes. Returns the ids of
     * the keys with which the new tokens were signed.
     */
    check: async (): Promise<(string | undefined)[]> => {
      const now = Math.max(...clocks.map((clock) => clock.now().getTime()));
      const made: string[] = [];
      for (const [index, app] of apps.entries()) {
        const token = await refreshAccessToken(app, people[index] as Person);
        made.push(token);
        tokens.push({ token, expiresAt: now + 55 * minuteInSeconds * 1000 });
      }
      const living = tokens.filter(({ expiresAt }) => expiresAt > now);
      for (const { token } of living)
        for (const app of apps) expect(await fetchMeStatus(app, token)).toBe(200);
      if (!kept || kept.until <= now) {
        kept = { keys: await fetchKeySet(apps[0] as TestApp), until: now + 10 * minuteInSeconds * 1000 };
      }
      const keySet = createLocalJWKSet(kept.keys);
      for (const token of made)
        await jwtVerify(token, keySet, { currentDate: clocks[0].now(), clockTolerance: 300 });
      return made.map(getKeyId);
    },
    pass: (seconds: number) => {
      for (const clock of clocks) clock.advance(seconds);
    },
  };
};

describe('promise 48: no process refuses a valid token while keys rotate', () => {
  test.each([0, 3 * minuteInSeconds, -3 * minuteInSeconds])(
    'even if processes restart one after the other, with clocks %i s apart',
    async (skew) => {
      const pair = await startServerPair(skew);
      const before = await pair.check();
      pair.pass(minuteInSeconds / 2);
      const rotated = await rotateAt(pair.clocks[0]);
      expect(rotated.signsFrom).toEqual(
        new Date(pair.clocks[0].now().getTime() + 15 * minuteInSeconds * 1000),
      );
      // The process to restart (index 0 or 1), by minutes since the rotation. The new key begins to
      // sign after 15 minutes, so processes restart both before and after that.
      const restarts: Record<number, 0 | 1> = { 2: 0, 11: 1, 14: 0, 16: 0, 21: 1 };
      for (let passed = 0; passed < 150; passed += passed < 24 ? 1 : 9) {
        const restarted = restarts[passed];
        if (restarted !== undefined) await pair.restart(restarted);
        const kids = await pair.check();
        if (passed < 11) expect(kids).toEqual(before);
        if (passed > 19) expect(kids).toEqual([rotated.kid, rotated.kid]);
        pair.pass(passed < 24 ? minuteInSeconds : 9 * minuteInSeconds);
      }
    },
    60_000,
  );

  test('even if it cached the keys just before the rotation', async () => {
    const clock = createTestClock(startTime);
    const [signing, verifying] = [await startSecondProcess(clock), await startSecondProcess(clock)];
    const person = await signing.signIn();
    await rotateAt(clock);
    // Both processes read the keys less than a minute before the new key comes into use, so they
    // still use their cached copies at that moment.
    clock.advance(15 * minuteInSeconds - 30);
    expect(await fetchMeStatus(verifying, await refreshAccessToken(signing, person))).toBe(200);
    clock.advance(31);
    const token = await refreshAccessToken(signing, person);
    expect(getKeyId(token)).not.toBe(getKeyId(person.token));
    expect(await fetchMeStatus(verifying, token)).toBe(200);
    expect(await fetchMeStatus(verifying, person.token)).toBe(200);
  });
});

test('a retired key stops verifying once everything it signed has expired, and its row is deleted', async () => {
  const clock = createTestClock(startTime);
  const app = await startSecondProcess(clock);
  const person = await app.signIn();
  const [old] = (await fetchKeySet(app)).keys;
  const { retiredUntil } = await rotateAt(clock);
  expect(retiredUntil).toEqual(new Date(startTime.getTime() + (15 + 120) * minuteInSeconds * 1000));
  clock.advance(16 * minuteInSeconds);
  expect((await fetchKeySet(app)).keys.map(({ kid }) => kid)).toContain(old?.kid);
  expect(await fetchMeStatus(app, person.token)).toBe(200);
  clock.advance(2 * 60 * minuteInSeconds);
  const { keys } = await fetchKeySet(app);
  expect(keys).toHaveLength(1);
  expect(keys[0]?.kid).not.toBe(old?.kid);
  expect(keys[0]).not.toHaveProperty('d');
  await app.jobs.repeatNow('remove-overdue');
  expect(await firstServer.sql`SELECT kid FROM private.signing_keys`).toEqual([{ kid: keys[0]?.kid }]);
});

test('a second rotation is refused until the first takes effect, and the audit trail records each completed one', async () => {
  const clock = createTestClock(startTime);
  const results = await Promise.allSettled([rotateAt(clock), rotateAt(clock)]);
  const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(failed.reason.message).toMatch(/^A rotation is under way: key \w+ signs from 2026-\S+ on\.$/);
  clock.advance(15 * minuteInSeconds);
  await rotateAt(clock);
  const events = await firstServer.sql`
    SELECT actor, reason FROM private.security_events WHERE event = 'signing_key_rotated'`;
  expect(events).toEqual(Array(2).fill({ actor: 'shell:ada', reason: 'test' }));
});

test('a rotation whose secrets.json differs from that of the servers is refused and changes no key', async () => {
  const person = await firstServer.signIn();
  const clock = createTestClock(startTime);
  await expect(rotateAt(clock, generateSecrets())).rejects.toThrow(
    /^The signing keys belong to another secrets\.json\. .+$/,
  );
  clock.advance(3 * 3600);
  expect(getKeyId(await refreshAccessToken(await startSecondProcess(clock), person))).toBe(
    getKeyId(person.token),
  );
  await rotateAt(clock);
});

test('processes that start together on an empty database share one key', async () => {
  await firstServer.sql`DELETE FROM private.signing_keys`;
  const apps = Array.from({ length: 5 }, () => ({
    ...firstServer.app,
    signingKeys: createSigningKeyCache(),
  }));
  const kids = await Promise.all(
    apps.map(async (app) => (await readSigningKeys(app)).keys.map(({ kid }) => kid)),
  );
  expect(new Set(kids.flat()).size).toBe(1);
});

test('a new secrets.json ends all sessions with a warning, and keys inserted into the table are not used', async () => {
  const person = await firstServer.signIn();
  const forged = await generateSigningKey();
  await firstServer.sql`
    INSERT INTO private.signing_keys (kid, sealed, signs_from)
    VALUES (${forged.kid}, ${JSON.stringify(forged)}, ${startTime})`;
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const renewed = await startSecondProcess(firstServer.clock, generateSecrets(), log);
  expect(await fetchMeStatus(renewed, person.token)).toBe(401);
  expect(lines.filter((line) => line.includes('all sessions were ended'))).toHaveLength(1);
  const { keys } = await fetchKeySet(renewed);
  expect(keys).toHaveLength(1);
  expect([getKeyId(person.token), forged.kid]).not.toContain(keys[0]?.kid);
  expect(await renewSession(renewed, person)).toMatchObject({ code: 'refresh_token_not_found' });
  expect(await fetchMeStatus(renewed, (await logInWithPassword(renewed, person)).token)).toBe(200);
});

test('after a new secrets.json, codes of apps set up earlier are always refused, with advice to write to support', async () => {
  const { authenticator, person } = await enrollTotp(firstServer, await firstServer.signIn());
  const renewed = await startSecondProcess(firstServer.clock, generateSecrets());
  const waiting = await logInWithPassword(renewed, person);
  const factorUrl = `/auth/v1/factors/${authenticator.factorId}`;
  const { body } = await sendRequest(renewed, waiting, 'POST', `${factorUrl}/challenge`);
  const payload = { challenge_id: body.id, code: authenticator.code() };
  for (let attempt = 1; attempt <= 6; attempt += 1)
    expect(await sendRequest(renewed, waiting, 'POST', `${factorUrl}/verify`, payload)).toMatchObject({
      status: 409,
      body: {
        code: 'second_factor_lost',
        message: expect.stringContaining('Write to support@usc.edu'),
      },
    });
});

test('the database never stores the private key in plain text', async () => {
  const [key] = (await readSigningKeys(firstServer.app)).keys;
  const rows = await firstServer.sql`SELECT * FROM private.signing_keys`;
  expect(key?.jwk.d).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(rows)).not.toContain(key?.jwk.d);
});

test('imports the keys that an earlier version stored in secrets.json, so that its processes can still verify', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-keys-'));
  const [current, retired] = [await generateSigningKey(), await generateSigningKey()];
  const { d: _, ...retiredPublic } = retired.jwk;
  const signing = [current, { kid: retired.kid, jwk: retiredPublic, retired_at: startTime.toISOString() }];
  const content = JSON.stringify({ signing, pepper: secrets.pepper.toString('base64url') });
  await writeFile(join(dataDir, 'secrets.json'), content);
  await firstServer.sql`DELETE FROM private.signing_keys`;

  const clock = createTestClock(new Date(startTime.getTime() + 3600_000));
  const app = await startSecondProcess(clock, await loadSecrets(dataDir));
  const { token } = await app.signIn();
  expect(getKeyId(token)).toBe(current.kid);
  const { d: __, ...currentPublic } = current.jwk;
  const ofEarlierVersion = createLocalJWKSet({
    keys: [{ ...currentPublic, kid: current.kid, alg: 'ES256' }],
  });
  await jwtVerify(token, ofEarlierVersion, { currentDate: clock.now() });
  expect((await fetchKeySet(app)).keys.map(({ kid }) => kid).sort()).toEqual(
    [current.kid, retired.kid].sort(),
  );
  clock.advance(25 * 3600);
  expect((await fetchKeySet(app)).keys.map(({ kid }) => kid)).toEqual([current.kid]);
  // secrets.json stays unchanged, because a process of an earlier version still reads it.
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(content);
  await rm(dataDir, { recursive: true });
});
