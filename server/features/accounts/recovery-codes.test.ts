import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recoveryCodeCount } from '#contract/accounts.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { logInWithGoTrueClient } from '#server/testing/gotrue-client.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  // The Supabase client compares expiry times with the real clock, so set the test server's clock to the current time.
  testApp.clock.set(new Date());
  await testApp.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => testApp.close());

const path = '/auth/v1/factors/recovery-codes';
const post = (url: string, person: Person, payload: object = {}) =>
  sendRequest(testApp, person, 'POST', url, payload);
const enter = (person: Person, code: string) => post(`${path}/verify`, person, { code });

/**
 * Creates a person with an authenticator app and recovery codes. `waiting` is another session, in which the
 * second-factor check has not been passed.
 */
const createCodes = async () => {
  const { authenticator, person } = await enrollTotp(testApp, await testApp.signIn());
  const { codes } = (await post(path, person)).body;
  return {
    authenticator,
    person,
    codes: codes as string[],
    waiting: await logInWithPassword(testApp, person),
  };
};

describe('promise 83: recovery codes', () => {
  test('the Supabase client generates, counts, uses, regenerates and removes them', async () => {
    const { person, authenticator } = await createCodes();
    await sendRequest(testApp, person, 'DELETE', path);
    const { client } = await logInWithGoTrueClient(testApp, { email: person.email, password: testPassword });
    const { recoveryCodes } = client.mfa;
    expect((await recoveryCodes.generate()).error).toMatchObject({ code: 'insufficient_aal' });
    testApp.clock.advance(30);
    await client.mfa.challengeAndVerify({ factorId: authenticator.factorId, code: authenticator.code() });
    const generated = await recoveryCodes.generate({ friendlyName: 'Paper' });
    if (generated.error) throw generated.error;
    const { id, codes } = generated.data;
    expect(generated.data).toMatchObject({ type: 'recovery_code', friendly_name: 'Paper', total: 10 });
    expect(new Set(codes).size).toBe(recoveryCodeCount);
    expect((await recoveryCodes.generate()).error).toMatchObject({ code: 'mfa_verified_factor_exists' });

    const again = await logInWithGoTrueClient(testApp, { email: person.email, password: testPassword });
    const typed = (codes[3] ?? '').toUpperCase().replace(/(.{4})(?=.)/g, '$1-');
    expect((await again.client.mfa.recoveryCodes.verify({ code: ` ${typed} ` })).error).toBeNull();
    const level = await again.client.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data?.currentLevel).toBe('aal2');
    expect(level.data?.currentAuthenticationMethods).toMatchObject([
      { method: 'mfa/recovery_code' },
      { method: 'password' },
    ]);
    expect((await recoveryCodes.getStatus()).data).toEqual({
      id,
      type: 'recovery_code',
      total: 10,
      remaining: 9,
    });
    const fresh = await recoveryCodes.regenerate();
    expect(fresh.data).toMatchObject({ id, friendly_name: 'Paper', total: 10 });
    expect(fresh.data?.codes.some((code) => codes.includes(code))).toBe(false);
    expect((await recoveryCodes.unenroll()).data).toEqual({ id });
    expect((await recoveryCodes.getStatus()).error).toMatchObject({ code: 'mfa_factor_not_found' });
  });

  test('a code may contain spaces, hyphens and full-width characters', async () => {
    const { codes, person } = await createCodes();
    const [first = '', second = ''] = codes;
    const fullWidth = second.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
    for (const typed of [`${first.slice(0, 4)}\u2011${first.slice(4)}\u00A0`, fullWidth])
      expect((await enter(await logInWithPassword(testApp, person), typed)).status).toBe(200);
  });

  test('each code is accepted once, even in parallel requests', async () => {
    const { codes, person } = await createCodes();
    const sessions: Person[] = [];
    for (let index = 0; index < 4; index += 1) sessions.push(await logInWithPassword(testApp, person));
    const replies = await Promise.all(sessions.map((session) => enter(session, codes[0] ?? '')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'mfa_verification_failed')).toHaveLength(3);
  });

  test('five wrong codes delay further recovery codes, but not codes of the authenticator app', async () => {
    const { codes, authenticator, waiting } = await createCodes();
    for (let tries = 0; tries < 5; tries += 1)
      expect((await enter(waiting, 'guessed-code')).status).toBe(422);
    expect((await enter(waiting, codes[0] ?? '')).status).toBe(429);
    testApp.clock.advance(30);
    const { body } = await post(`/auth/v1/factors/${authenticator.factorId}/challenge`, waiting);
    const answer = { challenge_id: body.id, code: authenticator.code() };
    expect((await post(`/auth/v1/factors/${authenticator.factorId}/verify`, waiting, answer)).status).toBe(
      200,
    );
  });

  test('only keyed hashes are stored, and new codes replace all earlier ones', async () => {
    const { codes, person, waiting } = await createCodes();
    const [row] = await testApp.sql`SELECT string_agg(c::text, ' ') AS rows FROM private.recovery_codes c`;
    for (const code of codes) expect(row?.rows).not.toContain(code);
    expect((await post(`${path}/regenerate`, person)).status).toBe(200);
    expect((await enter(waiting, codes[0] ?? '')).status).toBe(422);
  });

  test('need an authenticator app and a fresh log-in, and are deleted with the app', async () => {
    const withoutApp = await testApp.signIn();
    expect((await post(path, withoutApp)).body.code).toBe('insufficient_aal');
    const { authenticator, codes, person, waiting } = await createCodes();
    expect((await post(`${path}/regenerate`, waiting)).body.code).toBe('insufficient_aal');
    testApp.clock.advance(600);
    expect((await post(`${path}/regenerate`, person)).body.code).toBe('reauthentication_needed');
    expect((await sendRequest(testApp, person, 'DELETE', path)).body.code).toBe('reauthentication_needed');
    await post('/rest/v1/me/reauthentication', person, { password: testPassword });
    await sendRequest(testApp, person, 'DELETE', `/auth/v1/factors/${authenticator.factorId}`);
    expect((await enter(await logInWithPassword(testApp, person), codes[0] ?? '')).status).toBe(404);
  });

  test('the person is notified when a code was used', async () => {
    const { codes, waiting } = await createCodes();
    const { body } = await enter(waiting, codes[0] ?? '');
    await testApp.jobs.runAll();
    const session = { headers: { authorization: `Bearer ${body.access_token}` } };
    const list = await sendRequest(testApp, session, 'GET', '/rest/v1/notifications');
    expect(list.body.items).toContainEqual(
      expect.objectContaining({
        title: 'Log-in with a recovery code',
        text: expect.stringContaining('; 9 are left.'),
      }),
    );
  });
});
