import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxPasskeys } from '#contract/passkeys.ts';
import {
  type Person,
  startTestApp,
  type TestApp,
  testPassword,
  toPersonFromTokenResponse,
} from '#server/testing/app.ts';
import { createGoTrueClient, logInWithGoTrueClient } from '#server/testing/gotrue-client.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';
import { createAuthenticator, type Forgery } from '#server/testing/software-authenticator.ts';
import { changeConsoleRole } from './console-access.ts';
import { removeLostSecondFactor } from './second-factor-removal.ts';

const siteOrigin = 'http://quad.test';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  // The Supabase client (@supabase/auth-js) compares expiry times with the real clock.
  testApp.clock.set(new Date());
  await testApp.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => testApp.close());

type Authenticator = ReturnType<typeof createAuthenticator>;

const post = (url: string, person: Person | undefined, payload: object = {}) =>
  sendRequest(testApp, person, 'POST', `/auth/v1/passkeys${url}`, payload);
const startRegistration = async (person: Person) => (await post('/registration/options', person)).body;
const startLogIn = async () => (await post('/authentication/options', undefined)).body;

const register = async (person: Person, authenticator: Authenticator, forged?: Forgery) => {
  const { challenge_id, options } = await startRegistration(person);
  return post('/registration/verify', person, {
    challenge_id,
    credential: authenticator.create(options, forged),
  });
};
const logIn = async (authenticator: Authenticator, forged?: Forgery) => {
  const { challenge_id, options } = await startLogIn();
  const credential = authenticator.get(options, forged);
  return post('/authentication/verify', undefined, { challenge_id, credential });
};
const createOwner = async () => {
  const person = await testApp.signIn();
  const authenticator = createAuthenticator(siteOrigin);
  const { status, body } = await register(person, authenticator);
  expect(status).toBe(200);
  return { person, authenticator, passkeyId: body.id as string };
};
const listRefusals = async (): Promise<string[]> =>
  (
    await testApp.sql<{ detail: string }[]>`
      SELECT detail FROM private.security_events WHERE event = 'passkey_refused' ORDER BY id`
  ).map(({ detail }) => detail);
const listEvents = async (userId: string): Promise<string[]> =>
  (
    await testApp.sql<{ event: string }[]>`
      SELECT event FROM private.security_events WHERE user_id = ${userId} ORDER BY id`
  ).map(({ event }) => event);
/** Returns the titles of the person's notifications, and the number of emails about them. */
const readNotices = async (person: Person): Promise<{ titles: string[]; emails: number }> => {
  await testApp.jobs.runAll();
  await testApp.jobs.repeatNow('email-notifications');
  const { body } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
  const mails = testApp.mails.filter((mail) => mail.kind === 'notifications' && mail.to === person.email);
  return { titles: body.items.map(({ title }: { title: string }) => title), emails: mails.length };
};
const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('promise 107: the unmodified client', () => {
  test('adds a passkey, logs in with it as with two steps, names, lists and removes it', async () => {
    const { email } = await testApp.signIn();
    const { client } = await logInWithGoTrueClient(testApp, { email, password: testPassword });
    const authenticator = createAuthenticator(siteOrigin);
    const started = await client.passkey.startRegistration();
    if (started.error) throw started.error;
    const { challenge_id: challengeId, options, expires_at: expiresAt } = started.data;
    expect(expiresAt * 1000).toBeGreaterThan(Date.now());
    expect(options).toMatchObject({
      rp: { id: 'quad.test', name: 'Quad' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const added = await client.passkey.verifyRegistration({
      challengeId,
      credential: authenticator.create(options) as never,
    });
    if (added.error) throw added.error;
    const { id } = added.data;
    expect((await client.passkey.update({ passkeyId: id, friendlyName: ' My  laptop ' })).data).toMatchObject(
      {
        id,
        friendly_name: 'My laptop',
      },
    );

    const visitor = createGoTrueClient(testApp);
    const asked = await visitor.passkey.startAuthentication();
    if (asked.error) throw asked.error;
    expect(asked.data.options).not.toHaveProperty('allowCredentials.0');
    const loggedIn = await visitor.passkey.verifyAuthentication({
      challengeId: asked.data.challenge_id,
      credential: authenticator.get(asked.data.options) as never,
    });
    if (loggedIn.error) throw loggedIn.error;
    const { data: level } = await visitor.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({
      currentLevel: 'aal2',
      currentAuthenticationMethods: [{ method: 'mfa/webauthn' }, { method: 'passkey' }],
    });
    expect((await visitor.getUser()).data.user?.email).toBe(email);
    expect((await visitor.passkey.list()).data).toEqual([
      { id, friendly_name: 'My laptop', created_at: expect.any(String), last_used_at: expect.any(String) },
    ]);

    expect(await visitor.passkey.delete({ passkeyId: id })).toEqual({ data: null, error: null });
    expect((await visitor.passkey.list()).data).toEqual([]);
    expect((await visitor.passkey.delete({ passkeyId: id })).error).toMatchObject({
      code: 'webauthn_credential_not_found',
    });
    expect(await logIn(authenticator)).toMatchObject({
      status: 404,
      body: { code: 'webauthn_credential_not_found' },
    });
  });
});

describe('promise 111: a passkey is refused and the refusal is audited', () => {
  const forgeries: [string, Forgery][] = [
    ['wrong origin', { origin: 'http://quad.test.evil.example' }],
    ['wrong origin', { origin: 'https://quad.test' }],
    ['wrong site', { rpId: 'evil.example' }],
    ['wrong challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['wrong type', { type: 'webauthn.other' }],
    ['person not verified', { isVerified: false }],
    ['foreign frame', { crossOrigin: true }],
  ];
  test.each([
    ...forgeries,
    [
      'statement of a maker',
      { statement: { format: 'packed', value: new Map([['x5c', Buffer.alloc(8)]]) } },
    ] as [string, Forgery],
  ])('when it is added with %s (%j)', async (reason, forged) => {
    const person = await testApp.signIn();
    expect(await register(person, createAuthenticator(siteOrigin), forged)).toMatchObject({
      status: 400,
      body: { code: 'webauthn_verification_failed' },
    });
    expect((await listRefusals()).at(-1)).toBe(reason);
    expect((await sendRequest(testApp, person, 'GET', '/auth/v1/passkeys')).body).toEqual([]);
  });

  test.each([
    ...forgeries,
    ['wrong person', { userHandle: Buffer.from(randomUUID()).toString('base64url') }],
    ['wrong person', { userHandle: '' }],
    ['old counter', { counter: 0 }],
    ['old counter', { counter: 1 }],
  ] as [string, Forgery][])('when it logs in with %s (%j)', async (reason, forged) => {
    const { authenticator } = await createOwner();
    expect((await logIn(authenticator)).status).toBe(200);
    const isMalformed = forged.userHandle === '';
    expect(await logIn(authenticator, forged)).toMatchObject({
      status: 400,
      body: { code: isMalformed ? 'validation_failed' : 'webauthn_verification_failed' },
    });
    if (!isMalformed) expect((await listRefusals()).at(-1)).toBe(reason);
    expect((await logIn(authenticator)).status).toBe(200);
  });

  test('when another key signs, or the credential is unknown', async () => {
    const { authenticator } = await createOwner();
    const { authenticator: other } = await createOwner();
    const { challenge_id, options } = await startLogIn();
    const credential = other.get(options);
    const id = authenticator.credentialId;
    const { userHandle } = authenticator.get(options).response;
    expect(
      (
        await post('/authentication/verify', undefined, {
          challenge_id,
          credential: { ...credential, id, rawId: id, response: { ...credential.response, userHandle } },
        })
      ).status,
    ).toBe(400);
    expect((await listRefusals()).at(-1)).toBe('wrong signature');
    expect((await logIn(createAuthenticator(siteOrigin))).status).toBe(400);
  });

  test('when a challenge is used again, has expired, or was made for something or somebody else', async () => {
    const { person, authenticator } = await createOwner();
    const { challenge_id, options } = await startLogIn();
    const used = { challenge_id, credential: authenticator.get(options) };
    expect((await post('/authentication/verify', undefined, used)).status).toBe(200);
    const expired = { status: 400, body: { code: 'webauthn_challenge_expired' } };
    expect(await post('/authentication/verify', undefined, used)).toMatchObject(expired);

    const late = await startLogIn();
    testApp.clock.advance(301);
    const lateCredential = authenticator.get(late.options);
    expect(
      await post('/authentication/verify', undefined, {
        challenge_id: late.challenge_id,
        credential: lateCredential,
      }),
    ).toMatchObject(expired);

    const registration = await startRegistration(person);
    const stranger = await testApp.signIn();
    const created = createAuthenticator(siteOrigin).create(registration.options);
    const body = { challenge_id: registration.challenge_id, credential: created };
    expect(await post('/registration/verify', stranger, body)).toMatchObject(expired);
    const signed = authenticator.get({ ...registration.options, rpId: 'quad.test' });
    expect(await post('/authentication/verify', undefined, { ...body, credential: signed })).toMatchObject(
      expired,
    );
    expect((await listRefusals()).slice(-4)).toEqual(Array(4).fill('unknown challenge'));
    expect((await post('/registration/verify', person, body)).status).toBe(200);
    expect(await post('/registration/verify', person, body)).toMatchObject(expired);
  });

  test('when it is added to a second account', async () => {
    const { authenticator } = await createOwner();
    const stranger = await testApp.signIn();
    expect(await register(stranger, authenticator)).toMatchObject({
      status: 422,
      body: { code: 'webauthn_credential_exists' },
    });
    expect((await listRefusals()).at(-1)).toBe('existing passkey');
  });

  test('when two log-ins with the same counter arrive together, except for one', async () => {
    const { authenticator } = await createOwner();
    const results = await Promise.all([
      logIn(authenticator, { counter: 7 }),
      logIn(authenticator, { counter: 7 }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

test('an authenticator that does not count may log in again and again', async () => {
  const { authenticator } = await createOwner();
  expect((await logIn(authenticator, { counter: 0 })).status).toBe(200);
  expect((await logIn(authenticator, { counter: 0 })).status).toBe(200);
});

test('promise 111: adding and removing a passkey needs a recent log-in, and is mailed and audited', async () => {
  const { person, authenticator, passkeyId } = await createOwner();
  expect(await readNotices(person)).toEqual({ titles: ['You can log in with a passkey'], emails: 1 });
  testApp.clock.advance(601);
  const stale = { status: 400, body: { code: 'reauthentication_needed' } };
  expect(await post('/registration/options', person)).toMatchObject(stale);
  const path = `/auth/v1/passkeys/${passkeyId}`;
  expect(await sendRequest(testApp, person, 'DELETE', path)).toMatchObject(stale);
  expect((await logIn(authenticator)).status).toBe(200);

  await sendRequest(testApp, person, 'POST', '/rest/v1/me/reauthentication', { password: testPassword });
  const removal = await testApp.server.inject({ method: 'DELETE', url: path, headers: person.headers });
  expect(removal.statusCode).toBe(204);
  expect(await readNotices(person)).toEqual({
    titles: expect.arrayContaining(['A passkey was removed']),
    emails: 2,
  });
  expect(await listEvents(person.userId)).toEqual(
    expect.arrayContaining(['passkey_added', 'passkey_removed']),
  );
});

test('a stranger neither sees, renames nor removes the passkeys of somebody else', async () => {
  const { passkeyId } = await createOwner();
  const stranger = await testApp.signIn();
  const path = `/auth/v1/passkeys/${passkeyId}`;
  expect((await sendRequest(testApp, stranger, 'GET', '/auth/v1/passkeys')).body).toEqual([]);
  expect((await sendRequest(testApp, stranger, 'DELETE', path)).status).toBe(404);
  expect((await sendRequest(testApp, stranger, 'PATCH', path, { friendly_name: 'Mine' })).status).toBe(404);
});

test(`an account has at most ${maxPasskeys} passkeys`, async () => {
  const { person } = await createOwner();
  const started = await startRegistration(person);
  for (let count = 1; count < maxPasskeys; count += 1)
    expect((await register(person, createAuthenticator(siteOrigin))).status).toBe(200);
  const full = { status: 422, body: { code: 'too_many_passkeys' } };
  expect(await post('/registration/options', person)).toMatchObject(full);
  const credential = createAuthenticator(siteOrigin).create(started.options);
  const body = { challenge_id: started.challenge_id, credential };
  expect(await post('/registration/verify', person, body)).toMatchObject(full);
});

test('opens the console, and takes the place of the authenticator app', async () => {
  const { person, authenticator } = await createOwner();
  await changeConsoleRole(testApp.app, person.userId, 'moderator');
  const fetchAccess = async (token: string) =>
    (
      await testApp.server.inject({
        url: '/rest/v1/moderation/access',
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode;
  expect(await fetchAccess(person.token)).toBe(403);
  const { body } = await logIn(authenticator);
  expect(readClaims(body.access_token)).toMatchObject({ aal: 'aal2' });
  expect(await fetchAccess(body.access_token)).toBe(200);

  const byPasskey = toPersonFromTokenResponse(person.email, body);
  const { person: enrolled } = await enrollTotp(testApp, byPasskey);
  const { body: again } = await logIn(authenticator);
  expect(again.user.app_metadata.awaits_second_factor).toBe(false);
  expect(await fetchAccess(again.access_token)).toBe(200);
  expect(enrolled.userId).toBe(person.userId);
});

test('an administrator removes lost passkeys, after which no session opens the console; none of them ends', async () => {
  const { person, authenticator } = await createOwner();
  await changeConsoleRole(testApp.app, person.userId, 'moderator');
  const byPasskey = toPersonFromTokenResponse(person.email, (await logIn(authenticator)).body);
  const open = (session: Person) => sendRequest(testApp, session, 'GET', '/rest/v1/moderation/access');
  expect((await open(byPasskey)).status).toBe(200);
  await removeLostSecondFactor(testApp.app, person.userId);
  expect((await logIn(authenticator)).status).toBe(404);
  expect((await open(byPasskey)).status).toBe(403);
  for (const session of [person, byPasskey])
    expect((await sendRequest(testApp, session, 'GET', '/rest/v1/me')).status).toBe(200);
  expect((await readNotices(person)).titles).toContain('Your passkeys were removed');
  const { body: notices } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
  expect(notices.items).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^An administrator removed them on /) }),
  );
});

test('somebody who knows the password of a moderator cannot add or remove the second factor', async () => {
  const { person, passkeyId, authenticator } = await createOwner();
  await changeConsoleRole(testApp.app, person.userId, 'moderator');
  const thief = await logInWithPassword(testApp, person);
  const refused = { status: 401, body: { code: 'insufficient_aal' } };
  expect(await post('/registration/options', thief)).toMatchObject(refused);
  expect(await sendRequest(testApp, thief, 'DELETE', `/auth/v1/passkeys/${passkeyId}`)).toMatchObject(
    refused,
  );
  expect(
    await sendRequest(testApp, thief, 'POST', '/auth/v1/factors', { factor_type: 'totp' }),
  ).toMatchObject(refused);
  const { body } = await logIn(authenticator);
  const owner = toPersonFromTokenResponse(person.email, body);
  expect((await register(owner, createAuthenticator(siteOrigin))).status).toBe(200);
});

describe('promise 111: a passkey in an open session', () => {
  const prove = async (person: Person | undefined, authenticator: Authenticator, forged?: Forgery) => {
    const { challenge_id, options } = await startLogIn();
    return post('/proof', person, { challenge_id, credential: authenticator.get(options, forged) });
  };
  /** Somebody with a passkey and an authenticator app who has logged in by password, which waits for the second step. */
  const createWaiting = async () => {
    const { person, authenticator } = await createOwner();
    await enrollTotp(testApp, person);
    return { waiting: await logInWithPassword(testApp, person), authenticator };
  };
  const listOwn = (person: Person) => sendRequest(testApp, person, 'GET', '/auth/v1/passkeys');

  test('passes the second step of the log-in, which says that there is one', async () => {
    const { waiting, authenticator } = await createWaiting();
    expect((await listOwn(waiting)).status).toBe(401);
    const { body: user } = await sendRequest(testApp, waiting, 'GET', '/auth/v1/user');
    expect(user.app_metadata.has_passkeys).toBe(true);
    const { status, body } = await prove(waiting, authenticator);
    expect(status).toBe(200);
    expect(body.user.app_metadata.awaits_second_factor).toBe(false);
    expect(readClaims(body.access_token)).toMatchObject({
      aal: 'aal2',
      session_id: readClaims(waiting.token).session_id,
      amr: expect.arrayContaining([expect.objectContaining({ method: 'mfa/webauthn' })]),
    });
    const person = toPersonFromTokenResponse(waiting.email, body);
    expect((await listOwn(person)).body).toMatchObject([{ last_used_at: expect.any(String) }]);
    expect((await listOwn(waiting)).status).toBe(401);
    expect(await listEvents(person.userId)).toContain('second_factor_proved');
  });

  test('of another person, or of nobody, passes nothing', async () => {
    const { waiting, authenticator: own } = await createWaiting();
    const { authenticator: other } = await createOwner();
    expect(await prove(waiting, other)).toMatchObject({
      status: 400,
      body: {
        code: 'webauthn_verification_failed',
        message: 'This passkey belongs to another account. Please choose another one.',
      },
    });
    expect((await listRefusals()).at(-1)).toBe('wrong person');
    // The own credential with the signature of another one.
    const { challenge_id, options } = await startLogIn();
    const signed = other.get(options);
    const { id, rawId, response } = own.get(options);
    const credential = {
      ...signed,
      id,
      rawId,
      response: { ...signed.response, userHandle: response.userHandle },
    };
    expect((await post('/proof', waiting, { challenge_id, credential })).status).toBe(400);
    expect((await listRefusals()).at(-1)).toBe('wrong signature');
    const unknown = { ...signed, id: 'AAAA', rawId: 'AAAA' };
    const { challenge_id: next } = await startLogIn();
    expect((await post('/proof', waiting, { challenge_id: next, credential: unknown })).status).toBe(404);
    expect((await prove(undefined, own)).status).toBe(401);
    expect((await listOwn(waiting)).status).toBe(401);
  });

  test.each([
    ['person not verified', { isVerified: false }],
    ['old counter', { counter: 0 }],
    ['wrong origin', { origin: 'https://quad.test' }],
    ['wrong challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ] as [string, Forgery][])('with %s passes nothing', async (reason, forged) => {
    const { waiting, authenticator } = await createWaiting();
    expect((await logIn(authenticator)).status).toBe(200);
    expect((await prove(waiting, authenticator, forged)).status).toBe(400);
    expect((await listRefusals()).at(-1)).toBe(reason);
    expect((await listOwn(waiting)).status).toBe(401);
  });

  test('cannot be replayed, used late, or used in a session that has ended', async () => {
    const { waiting, authenticator } = await createWaiting();
    const { challenge_id, options } = await startLogIn();
    const used = { challenge_id, credential: authenticator.get(options) };
    const expired = { status: 400, body: { code: 'webauthn_challenge_expired' } };
    const { body } = await post('/proof', waiting, used);
    const owner = toPersonFromTokenResponse(waiting.email, body);
    expect(await post('/proof', waiting, used)).toMatchObject(expired);
    expect(await post('/authentication/verify', undefined, used)).toMatchObject(expired);

    const second = await logInWithPassword(testApp, owner);
    const late = await startLogIn();
    const lateBody = { challenge_id: late.challenge_id, credential: authenticator.get(late.options) };
    testApp.clock.advance(301);
    expect(await post('/proof', second, lateBody)).toMatchObject(expired);
    const registration = await startRegistration(owner);
    const ownChallenge = authenticator.get({ ...registration.options, rpId: 'quad.test' });
    expect(
      await post('/proof', owner, { challenge_id: registration.challenge_id, credential: ownChallenge }),
    ).toMatchObject(expired);
    const url = '/auth/v1/logout?scope=others';
    await testApp.server.inject({ method: 'POST', url, headers: owner.headers });
    expect((await prove(second, authenticator)).status).toBe(403);
  });

  test('is a recent proof of identity, for the console’s staff too', async () => {
    const { person, authenticator } = await createOwner();
    await changeConsoleRole(testApp.app, person.userId, 'moderator');
    testApp.clock.advance(601);
    expect(await post('/registration/options', person)).toMatchObject({ body: { code: 'insufficient_aal' } });
    const { body } = await prove(person, authenticator);
    const proved = toPersonFromTokenResponse(person.email, body);
    expect((await post('/registration/options', proved)).status).toBe(200);
    testApp.clock.advance(601);
    expect(await post('/registration/options', proved)).toMatchObject({
      body: { code: 'reauthentication_needed' },
    });
  });
});

test('no passkey opens a suspended account', async () => {
  const { person, authenticator } = await createOwner();
  await testApp.sql`
    UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${person.userId}`;
  expect(await logIn(authenticator)).toMatchObject({ status: 403, body: { code: 'user_banned' } });
});

test.each([true, false])('a password reset ends passkeys only if asked to (%s)', async (isAsked) => {
  const { person, authenticator } = await createOwner();
  await sendRequest(testApp, undefined, 'POST', '/functions/v1/forgot-password', { email: person.email });
  const mail = testApp.mails.findLast((it) => it.kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  const password = 'another-password-1';
  expect(
    await sendRequest(testApp, undefined, 'POST', '/functions/v1/reset-password', {
      token,
      password,
      ...(isAsked && { removePasskeys: true }),
    }),
  ).toMatchObject({ status: 200 });
  expect((await logIn(authenticator)).status).toBe(isAsked ? 404 : 200);
});
