import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createGoTrueClient, logInWithGoTrueClient } from '#server/testing/gotrue-client.ts';
import { sendRequest } from '#server/testing/requests.ts';
import {
  createAuthenticator,
  enrollTotp,
  logInWithPassword,
  verifySecondFactor,
} from '#server/testing/second-factors.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  // The Supabase client (@supabase/auth-js) compares expiry times with the real clock, so set the test server's clock to
  // the current time.
  testApp.clock.set(new Date());
  await testApp.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => testApp.close());

const post = (url: string, person: Person | undefined, payload: object = {}) =>
  sendRequest(testApp, person, 'POST', url, payload);
const fetchMeStatus = async (person: Person) =>
  (await sendRequest(testApp, person, 'GET', '/rest/v1/me')).status;
const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const challenge = async (person: Person, factorId: string): Promise<string> =>
  (await post(`/auth/v1/factors/${factorId}/challenge`, person)).body.id;
const enterCode = async (person: Person, factorId: string, code: string) =>
  post(`/auth/v1/factors/${factorId}/verify`, person, {
    challenge_id: await challenge(person, factorId),
    code,
  });
/** Returns a code that differs from the given correct one. */
const toWrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/**
 * Creates a person with an authenticator app. `waiting` is another session, in which the second-factor check has not
 * been passed.
 */
const createWaitingSession = async () => {
  const signedUp = await testApp.signIn();
  const { authenticator, person } = await enrollTotp(testApp, signedUp);
  testApp.clock.advance(30);
  return { authenticator, enrolled: person, waiting: await logInWithPassword(testApp, person) };
};

describe('promise 83: the Supabase client', () => {
  test('enrolls an authenticator app, which raises the session to aal2 and ends the others', async () => {
    const { email } = await testApp.signIn();
    const earlier = await logInWithGoTrueClient(testApp, { email, password: testPassword });
    const { client } = await logInWithGoTrueClient(testApp, { email, password: testPassword });
    const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' });
    if (enrolled.error) throw enrolled.error;
    const { id, totp } = enrolled.data;
    expect(enrolled.data).toMatchObject({ type: 'totp', friendly_name: 'My phone' });
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/);
    expect(totp.uri).toContain(`secret=${totp.secret}`);
    expect(decodeURIComponent(totp.uri)).toContain(`otpauth://totp/Quad:${email}?`);
    expect((await client.mfa.listFactors()).data).toMatchObject({
      all: [{ id, status: 'unverified' }],
      totp: [],
    });

    const { code } = createAuthenticator(testApp, id, totp.secret);
    expect(await client.mfa.challengeAndVerify({ factorId: id, code: code() })).toMatchObject({
      error: null,
    });
    expect((await client.mfa.listFactors()).data).toMatchObject({
      totp: [{ id, friendly_name: 'My phone' }],
    });
    const level = await client.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect(level.data?.currentAuthenticationMethods).toMatchObject([
      { method: 'totp' },
      { method: 'password' },
    ]);
    expect((await earlier.client.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' });
  });

  test('requires the app at the next log-in; before that, the session can do nothing', async () => {
    const { authenticator, enrolled } = await createWaitingSession();
    const { email } = enrolled;
    const { client } = await logInWithGoTrueClient(testApp, { email, password: testPassword });
    const level = await client.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect((await client.updateUser({ password: 'another-password-1' })).error).toMatchObject({
      status: 401,
      code: 'insufficient_aal',
    });
    const { data } = await client.mfa.listFactors();
    const factorId = data?.totp[0]?.id ?? '';
    const refused = await client.mfa.challengeAndVerify({
      factorId,
      code: toWrongCode(authenticator.code()),
    });
    expect(refused.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });
    const passed = await client.mfa.challengeAndVerify({ factorId, code: authenticator.code() });
    expect(passed.error).toBeNull();
    expect((await client.updateUser({ data: { full_name: 'Ada Trojan' } })).error).toBeNull();
    expect((await client.refreshSession()).error).toBeNull();
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  });

  test('can log out of a session that awaits the app, without ending other sessions', async () => {
    const { enrolled } = await createWaitingSession();
    const { client } = await logInWithGoTrueClient(testApp, {
      email: enrolled.email,
      password: testPassword,
    });
    expect(await client.signOut()).toEqual({ error: null });
    expect(await fetchMeStatus(enrolled)).toBe(200);
  });

  test('turns the second factor off, after which the password is enough', async () => {
    const { authenticator, enrolled } = await createWaitingSession();
    const { client, session } = await logInWithGoTrueClient(testApp, {
      email: enrolled.email,
      password: testPassword,
    });
    const { factorId } = authenticator;
    expect((await client.mfa.unenroll({ factorId })).error).toMatchObject({ code: 'insufficient_aal' });
    testApp.clock.advance(30);
    await client.mfa.challengeAndVerify({ factorId, code: authenticator.code() });
    expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    expect(await fetchMeStatus(await logInWithPassword(testApp, enrolled))).toBe(200);
    const [row] = await testApp.sql`
      SELECT second_factor_at FROM private.sessions WHERE id = ${readClaims(session.access_token).session_id}`;
    expect(row).toEqual({ second_factor_at: null });
  });
});

describe('promise 83: every log-in needs the second factor', () => {
  const logIns: [string, (person: Person) => Promise<Person>][] = [
    ['by password', (person) => logInWithPassword(testApp, person)],
    [
      'by emailed code',
      async (person) => {
        testApp.clock.advance(60);
        await post('/functions/v1/send-otp', undefined, { email: person.email });
        const token = testApp.codeFor(person.email);
        const { body } = await post('/auth/v1/verify', undefined, {
          email: person.email,
          token,
          type: 'email',
        });
        return { ...person, headers: { authorization: `Bearer ${body.access_token}` } };
      },
    ],
    [
      'after a password reset',
      async (person) => {
        await post('/functions/v1/forgot-password', undefined, { email: person.email });
        const mail = testApp.mails.findLast(({ to, kind }) => to === person.email && kind === 'reset_link');
        const token = mail?.kind === 'reset_link' ? mail.token : '';
        await post('/functions/v1/reset-password', undefined, { token, password: 'a-new-password-9' });
        return logInWithPassword(testApp, person, 'a-new-password-9');
      },
    ],
  ];
  test.each(logIns)('%s', async (_, logIn) => {
    const { authenticator, person } = await enrollTotp(testApp, await testApp.signIn());
    const waiting = await logIn(person);
    expect(await fetchMeStatus(waiting)).toBe(401);
    expect(await fetchMeStatus(await verifySecondFactor(testApp, waiting, authenticator))).toBe(200);
  });

  test('proving the second factor invalidates earlier tokens, and refreshing alone does not add it', async () => {
    const { authenticator, waiting } = await createWaitingSession();
    const refreshed = await post('/auth/v1/token?grant_type=refresh_token', undefined, {
      refresh_token: waiting.refreshToken,
    });
    expect(readClaims(refreshed.body.access_token).aal).toBe('aal1');
    const proved = await verifySecondFactor(testApp, waiting, authenticator);
    expect(await fetchMeStatus(proved)).toBe(200);
    expect(await fetchMeStatus(waiting)).toBe(401);
    for (const refresh_token of [waiting.refreshToken, refreshed.body.refresh_token])
      expect(
        (await post('/auth/v1/token?grant_type=refresh_token', undefined, { refresh_token })).status,
      ).toBe(400);
  });
});

describe('promise 83: a code is accepted once', () => {
  test('a code may contain spaces, hyphens and full-width digits', async () => {
    for (const write of [
      (code: string) => `${code.slice(0, 3)}\u00A0${code.slice(3)}`,
      (code: string) => code.replace(/(?!$)/g, '-').slice(1),
      (code: string) => code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ]) {
      const { authenticator, waiting } = await createWaitingSession();
      const reply = await enterCode(waiting, authenticator.factorId, write(authenticator.code()));
      expect(reply.status).toBe(200);
    }
  });

  test('neither the used code nor a code of an earlier time step is accepted later', async () => {
    const { authenticator, waiting } = await createWaitingSession();
    const earlier = authenticator.code();
    testApp.clock.advance(30);
    const code = authenticator.code();
    expect((await enterCode(waiting, authenticator.factorId, code)).status).toBe(200);
    const next = await logInWithPassword(testApp, waiting);
    for (const used of [code, earlier])
      expect((await enterCode(next, authenticator.factorId, used)).body.code).toBe('mfa_verification_failed');
  });

  test('parallel requests with the same code succeed only once', async () => {
    const { authenticator, enrolled } = await createWaitingSession();
    const sessions = [];
    for (let index = 0; index < 4; index += 1) sessions.push(await logInWithPassword(testApp, enrolled));
    const code = authenticator.code();
    const attempts = sessions.map((session) => enterCode(session, authenticator.factorId, code));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test.each([
    [-60, 422],
    [-30, 200],
    [30, 200],
    [60, 422],
  ])('a code from a clock that is %i s off gets status %i', async (seconds, status) => {
    const { authenticator, waiting } = await createWaitingSession();
    testApp.clock.advance(120);
    const now = testApp.clock.now().getTime();
    testApp.clock.set(new Date(now + seconds * 1000));
    const code = authenticator.code();
    testApp.clock.set(new Date(now));
    expect((await enterCode(waiting, authenticator.factorId, code)).status).toBe(status);
  });

  test('a code is accepted only for a challenge of the same session that is less than five minutes old', async () => {
    const { authenticator, enrolled, waiting } = await createWaitingSession();
    const { factorId } = authenticator;
    const verify = (person: Person, challenge_id: string) =>
      post(`/auth/v1/factors/${factorId}/verify`, person, { challenge_id, code: authenticator.code() });
    const foreign = await challenge(await logInWithPassword(testApp, enrolled), factorId);
    expect((await verify(waiting, foreign)).body.code).toBe('mfa_challenge_expired');
    const own = await challenge(waiting, factorId);
    testApp.clock.advance(300);
    expect((await verify(waiting, own)).body.code).toBe('mfa_challenge_expired');
  });
});

describe('promise 83: five wrong codes delay further attempts', () => {
  test('the sixth attempt has to wait a minute, even with the correct code; the next one twice as long', async () => {
    const { authenticator, waiting } = await createWaitingSession();
    const { factorId } = authenticator;
    const enterWrong = (session: Person) => enterCode(session, factorId, toWrongCode(authenticator.code()));
    for (let tries = 0; tries < 5; tries += 1) expect((await enterWrong(waiting)).status).toBe(422);
    // Neither another session nor the right code bypasses the waiting period.
    const other = await logInWithPassword(testApp, waiting);
    const refused = await enterCode(other, factorId, authenticator.code());
    expect(refused).toMatchObject({
      status: 429,
      body: { message: 'Too many wrong codes. Try again in 1 minute.' },
    });
    testApp.clock.advance(60);
    expect((await enterWrong(other)).status).toBe(422);
    testApp.clock.advance(61);
    expect((await enterCode(other, factorId, authenticator.code())).status).toBe(429);
    testApp.clock.advance(60);
    expect((await enterCode(other, factorId, authenticator.code())).status).toBe(200);
    const last = await logInWithPassword(testApp, waiting);
    for (let tries = 0; tries < 5; tries += 1) expect((await enterWrong(last)).status).toBe(422);
  });

  test('of 40 parallel wrong codes, five are evaluated', async () => {
    const { authenticator, waiting } = await createWaitingSession();
    const challenge_id = await challenge(waiting, authenticator.factorId);
    const code = toWrongCode(authenticator.code());
    const attempts = Array.from({ length: 40 }, () =>
      post(`/auth/v1/factors/${authenticator.factorId}/verify`, waiting, { challenge_id, code }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });
});

describe('promise 83: setting up and turning off need the password or a fresh log-in', () => {
  const enroll = (person: Person) => post('/auth/v1/factors', person, { factor_type: 'totp' });
  const reauthenticate = (person: Person, proof: object) =>
    post('/rest/v1/me/reauthentication', person, proof);

  test('a session older than ten minutes has to prove the password or an emailed code', async () => {
    const person = await testApp.signIn();
    testApp.clock.advance(600);
    expect((await enroll(person)).body).toEqual({
      code: 'reauthentication_needed',
      message: 'Please confirm that it is you.',
    });
    const refused = await reauthenticate(person, { password: 'not-their-password-1' });
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { password: 'This password is not right' } },
    });
    expect((await enroll(person)).status).toBe(400);
    expect((await reauthenticate(person, { password: testPassword })).status).toBe(200);
    const { authenticator, person: enrolled } = await enrollTotp(testApp, person);

    testApp.clock.advance(600);
    const remove = () =>
      sendRequest(testApp, enrolled, 'DELETE', `/auth/v1/factors/${authenticator.factorId}`);
    expect((await remove()).body.code).toBe('reauthentication_needed');
    await post('/functions/v1/send-otp', undefined, { email: person.email });
    expect((await reauthenticate(enrolled, { code: testApp.codeFor(person.email) })).status).toBe(200);
    expect((await remove()).status).toBe(200);
  });

  test('wrong emailed codes are refused, and after five of them the correct code is refused, too', async () => {
    const person = await testApp.signIn();
    testApp.clock.advance(600);
    await post('/functions/v1/send-otp', undefined, { email: person.email });
    const code = testApp.codeFor(person.email);
    for (let tries = 0; tries < 5; tries += 1)
      expect((await reauthenticate(person, { code: toWrongCode(code) })).body.code).toBe('code_invalid');
    expect((await reauthenticate(person, { code })).body.code).toBe('code_attempts_used');
    expect((await enroll(person)).body.code).toBe('reauthentication_needed');
  });

  test('a session older than ten minutes cannot set a new password and then confirm its identity with it', async () => {
    const person = await testApp.signIn();
    testApp.clock.advance(600);
    const password = 'chosen-by-a-thief-1';
    expect((await sendRequest(testApp, person, 'PUT', '/auth/v1/user', { password })).status).toBe(400);
    expect((await reauthenticate(person, { password })).status).toBe(400);
    expect((await reauthenticate(person, { password: testPassword })).status).toBe(200);
  });

  test('proving the password in another session does not count', async () => {
    const person = await testApp.signIn();
    testApp.clock.advance(600);
    await reauthenticate(await logInWithPassword(testApp, person), { password: testPassword });
    expect((await enroll(person)).body.code).toBe('reauthentication_needed');
  });

  test('an account has at most one authenticator app, whose secret is stored encrypted', async () => {
    const person = await testApp.signIn();
    const first = await enroll(person);
    const second = await enroll(person);
    expect((await post(`/auth/v1/factors/${first.body.id}/challenge`, person)).status).toBe(404);
    const { secret } = second.body.totp;
    const authenticator = createAuthenticator(testApp, second.body.id, secret);
    const proved = await verifySecondFactor(testApp, person, authenticator);
    expect((await enroll(proved)).body.code).toBe('mfa_verified_factor_exists');
    const [row] =
      await testApp.sql`SELECT f::text AS row FROM private.second_factors f WHERE id = ${second.body.id}`;
    expect(row?.row).not.toContain(secret);
  });
});

test('the person is notified when the second factor was added and removed', async () => {
  const { authenticator, person } = await enrollTotp(testApp, await testApp.signIn());
  await testApp.jobs.runAll();
  testApp.clock.advance(1);
  await sendRequest(testApp, person, 'DELETE', `/auth/v1/factors/${authenticator.factorId}`);
  await testApp.jobs.runAll();
  const { body } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
  expect(body.items.map(({ title }: { title: string }) => title)).toEqual([
    'Two-step verification is off',
    'Two-step verification is on',
  ]);
});

test('the Supabase client returns an error when a visitor without a session enrolls an app', async () => {
  const { error } = await createGoTrueClient(testApp).mfa.enroll({ factorType: 'totp' });
  expect(error).not.toBeNull();
});
