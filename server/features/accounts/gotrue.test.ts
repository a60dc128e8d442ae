import { GoTrueClient } from '@supabase/auth-js';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { readSigningKeys } from './signing-keys.ts';

let testApp: TestApp;
let serverUrl: string;
beforeAll(async () => {
  testApp = await startTestApp();
  // The Supabase client (@supabase/auth-js) compares expiry times with the real clock, so set the test server's clock to
  // the current time.
  testApp.clock.set(new Date());
  await testApp.server.listen({ host: '127.0.0.1', port: 0 });
  const address = testApp.server.server.address();
  if (!address || typeof address === 'string') throw new Error('not listening');
  serverUrl = `http://127.0.0.1:${address.port}/auth/v1`;
});
afterAll(() => testApp.close());

const createMemoryStorage = () => {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
};
/**
 * Creates the Supabase client. Node's `fetch` does not store cookies; a test that needs them passes
 * a `request` function that does.
 */
const newClient = (request: typeof fetch = fetch) =>
  new GoTrueClient({
    url: serverUrl,
    autoRefreshToken: false,
    persistSession: true,
    storage: createMemoryStorage(),
    storageKey: 'test',
    fetch: request,
  });
const createCookieFetch = (): typeof fetch => {
  let cookie = '';
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
};
const fetchAuthPassword = async (email: string, password = testPassword): Promise<string> => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/functions/v1/login-password',
    payload: { email, password },
  });
  return response.json().authPassword;
};
const createSignedInClient = async () => {
  const { email } = await testApp.signIn();
  const client = newClient();
  const { data, error } = await client.signInWithPassword({
    email,
    password: await fetchAuthPassword(email),
  });
  if (error || !data.session) throw error ?? new Error('no session');
  return { client, email, session: data.session };
};
let emailAddressCount = 0;
const newEmailAddress = () => {
  emailAddressCount += 1;
  return `gotrue-${emailAddressCount}@usc.edu`;
};
const requestUser = (token: string) =>
  fetch(`${serverUrl}/user`, {
    headers: { authorization: `Bearer ${token}`, 'x-supabase-api-version': '2024-01-01' },
  });

describe('the Supabase client', () => {
  test('signInWithPassword opens a session with the authPassword returned by login-password', async () => {
    const { session, email } = await createSignedInClient();
    expect(session).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { email, aud: 'authenticated' },
    });
  });

  test('signInWithPassword refuses the account password in place of the authPassword', async () => {
    const { email } = await testApp.signIn();
    const { error } = await newClient().signInWithPassword({ email, password: testPassword });
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid email or password',
    });
  });

  test('promise 45: with cookies, signUp, resend and verifyOtp open a session with the name given at sign-up', async () => {
    const client = newClient(createCookieFetch());
    const email = newEmailAddress();
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    const signUp = await client.signUp({
      email,
      password: testPassword,
      options: { data: { full_name: 'Ada Trojan' } },
    });
    expect(signUp.error).toBeNull();
    expect(signUp.data).toMatchObject({ session: null, user: { email } });
    testApp.clock.advance(30);
    expect((await client.resend({ type: 'signup', email })).error).toBeNull();
    const { data, error } = await client.verifyOtp({ email, token: testApp.codeFor(email), type: 'signup' });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ full_name: 'Ada Trojan', email_verified: true });
    expect(events).toContain('SIGNED_IN');
    expect(await fetchAuthPassword(email)).toBeTruthy();
  });

  test('promise 45: without cookies, verifyOtp with the password confirms the sign-up data', async () => {
    const client = newClient();
    const email = newEmailAddress();
    await client.signUp({ email, password: testPassword, options: { data: { full_name: 'Ada Trojan' } } });
    const shown = { email, token: testApp.codeFor(email), type: 'signup' as const, password: testPassword };
    const { data, error } = await client.verifyOtp(shown);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      app_metadata: { has_password: true },
      user_metadata: { full_name: 'Ada Trojan' },
    });
    expect(await fetchAuthPassword(email)).toBeTruthy();
  });

  test('promise 45: without cookies and password, verifyOtp discards the password and name; updateUser sets both', async () => {
    const client = newClient();
    const email = newEmailAddress();
    await newClient().signUp({
      email,
      password: testPassword,
      options: { data: { full_name: 'Stranger Danger' } },
    });
    const { data } = await client.verifyOtp({ email, token: testApp.codeFor(email), type: 'signup' });
    expect(data.user).toMatchObject({
      app_metadata: { has_password: false },
      user_metadata: { full_name: null, email_verified: true },
    });
    expect(await fetchAuthPassword(email)).toBeUndefined();
    const chosen = await client.updateUser({ password: 'chosen-later-7', data: { full_name: 'Ada Trojan' } });
    expect(chosen.data.user).toMatchObject({
      app_metadata: { has_password: true },
      user_metadata: { full_name: 'Ada Trojan' },
    });
    expect(await fetchAuthPassword(email, 'chosen-later-7')).toBeTruthy();
  });

  test('client and server refuse signUp without an address with the same message', async () => {
    const sentence = 'You must provide either an email or phone number and a password';
    const { error } = await newClient().signUp({ password: testPassword } as never);
    expect(error?.message).toBe(sentence);
    const response = await testApp.server.inject({ method: 'POST', url: '/auth/v1/signup', payload: {} });
    expect(response.json().message).toBe(sentence);
  });

  test('signUp with a weak password returns the reasons', async () => {
    const { error } = await newClient().signUp({ email: newEmailAddress(), password: 'abc' });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
  });

  test.each(['signUp', 'updateUser'])('%s with a common password reports a leaked password', async (how) => {
    const password = 'Qwerty123';
    const { error } =
      how === 'signUp'
        ? await newClient().signUp({ email: newEmailAddress(), password })
        : await (await createSignedInClient()).client.updateUser({ password });
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      reasons: ['pwned'],
      message: 'This password is too common and easy to guess',
    });
  });

  test('signInWithOtp mails a code that verifyOtp exchanges', async () => {
    const { email } = await testApp.signIn();
    testApp.clock.advance(30);
    const client = newClient();
    expect((await client.signInWithOtp({ email })).error).toBeNull();
    const { data } = await client.verifyOtp({ email, token: testApp.codeFor(email), type: 'email' });
    expect(data.session?.access_token).toBeTruthy();
  });

  test('signInWithOtp within 30 s of the previous code says how long to wait', async () => {
    const email = newEmailAddress();
    await newClient().signUp({ email, password: testPassword });
    testApp.clock.advance(18);
    expect((await newClient().signInWithOtp({ email })).error).toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
      message: 'For security purposes, you can only request this after 12 seconds.',
    });
  });

  test('verifyOtp reports a wrong code as invalid or expired', async () => {
    const email = newEmailAddress();
    await newClient().signUp({ email, password: testPassword });
    const wrong = testApp.codeFor(email) === '000000' ? '111111' : '000000';
    const { error } = await newClient().verifyOtp({ email, token: wrong, type: 'signup' });
    expect(error).toMatchObject({ code: 'otp_expired', message: 'Invalid or expired code.' });
  });

  test('refreshSession rotates the refresh token', async () => {
    const { client, session } = await createSignedInClient();
    const { data, error } = await client.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect(data.session?.user.id).toBe(session.user.id);
  });

  test('getUser returns the user, updateUser changes name and password', async () => {
    const { client, email } = await createSignedInClient();
    expect((await client.getUser()).data.user?.email).toBe(email);
    const renamed = await client.updateUser({ data: { full_name: 'New Name' } });
    expect(renamed.data.user?.user_metadata.full_name).toBe('New Name');
    expect((await client.updateUser({ password: 'changed-password-5' })).error).toBeNull();
    expect(await fetchAuthPassword(email, 'changed-password-5')).toBeTruthy();
  });

  test('updateUser cannot change the address', async () => {
    const { client } = await createSignedInClient();
    const { error } = await client.updateUser({ email: 'other@usc.edu' });
    expect(error).toMatchObject({
      status: 400,
      message: 'The email address of an account cannot be changed',
    });
  });

  test('updateUser requires the current password once the log-in is more than ten minutes old', async () => {
    const { client, email } = await createSignedInClient();
    testApp.clock.advance(10 * 60 + 1);
    const { error } = await client.updateUser({ password: 'changed-password-6' });
    expect(error?.code).toBe('reauthentication_needed');
    const current_password = testPassword;
    expect((await client.updateUser({ password: 'changed-password-6', current_password })).error).toBeNull();
    expect(await fetchAuthPassword(email, 'changed-password-6')).toBeTruthy();
    testApp.clock.set(new Date());
  });

  test('signOut ends the current session, the others, or all', async () => {
    const { email } = await testApp.signIn();
    const open = async () => {
      const client = newClient();
      await client.signInWithPassword({ email, password: await fetchAuthPassword(email) });
      const token = (await client.getSession()).data.session?.access_token ?? '';
      return { client, token };
    };
    const alive = async (...devices: { token: string }[]) => {
      testApp.clock.advance(5);
      return Promise.all(devices.map(async ({ token }) => (await requestUser(token)).ok));
    };
    const [phone, laptop, tablet] = [await open(), await open(), await open()];
    expect((await phone.client.signOut({ scope: 'local' })).error).toBeNull();
    expect(await alive(phone, laptop, tablet)).toEqual([false, true, true]);
    expect((await laptop.client.signOut({ scope: 'others' })).error).toBeNull();
    expect(await alive(laptop, tablet)).toEqual([true, false]);
    const watch = await open();
    expect((await laptop.client.signOut({ scope: 'global' })).error).toBeNull();
    expect(await alive(laptop, watch)).toEqual([false, false]);
  });

  test('drops a session that was ended elsewhere', async () => {
    const { client, session } = await createSignedInClient();
    await fetch(`${serverUrl}/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.access_token}` },
    });
    const { error } = await client.getUser();
    expect(error?.name).toBe('AuthSessionMissingError');
    expect((await client.getSession()).data.session).toBeNull();
    expect((await client.signOut()).error).toBeNull();
  });

  test('resetPasswordForEmail mails a link', async () => {
    const { email } = await testApp.signIn();
    expect((await newClient().resetPasswordForEmail(email)).error).toBeNull();
    expect(testApp.mails.findLast((mail) => mail.to === email)?.kind).toBe('reset_link');
  });

  test('getClaims checks the token against the published keys', async () => {
    const { client, session } = await createSignedInClient();
    const { data, error } = await client.getClaims();
    expect(error).toBeNull();
    expect(data?.claims).toMatchObject({ sub: session.user.id, role: 'authenticated', aal: 'aal1' });
    expect(data?.header.alg).toBe('ES256');
  });

  test('receives a clear error for features that the server does not offer', async () => {
    const { client } = await createSignedInClient();
    const idToken = await client.signInWithIdToken({ provider: 'google', token: 'x' });
    expect(idToken.error).toMatchObject({ status: 400, code: 'provider_disabled' });
    const enrolled = await client.mfa.enroll({ factorType: 'phone', phone: '+12135550100' });
    expect(enrolled.error).toMatchObject({ status: 400, code: 'validation_failed' });
    const listed = await client.admin.listUsers();
    expect(listed.error).toMatchObject({ status: 403, code: 'not_admin' });
    for (const grant of ['pkce', 'web3']) {
      const response = await fetch(`${serverUrl}/token?grant_type=${grant}`, { method: 'POST' });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'provider_disabled' });
    }
  });
});

describe('promise 7: refresh tokens', () => {
  const refresh = async (token: string) => {
    const response = await testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: token },
    });
    return { status: response.statusCode, body: response.json() };
  };

  test('twenty parallel refreshes rotate once, and all callers get the same active session', async () => {
    const person = await testApp.signIn();
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(person.refreshToken)));
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => response.body.refresh_token)).size).toBe(1);
    const next = await refresh(responses[0]?.body.refresh_token);
    expect(next.status).toBe(200);
  });

  test('a lost response can be requested again within 10 s', async () => {
    const person = await testApp.signIn();
    const lost = await refresh(person.refreshToken);
    testApp.clock.advance(10);
    const again = await refresh(person.refreshToken);
    expect(again.body.refresh_token).toBe(lost.body.refresh_token);
  });

  test('replaying an old token later ends the whole session', async () => {
    const person = await testApp.signIn();
    const next = await refresh(person.refreshToken);
    testApp.clock.advance(11);
    expect(await refresh(person.refreshToken)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used' },
    });
    expect((await refresh(next.body.refresh_token)).status).toBe(400);
    expect((await requestUser(next.body.access_token)).status).toBe(403);
  });

  test('a session expires after 30 days without use', async () => {
    const person = await testApp.signIn();
    testApp.clock.advance(30 * 24 * 3600 + 1);
    expect((await refresh(person.refreshToken)).body.code).toBe('refresh_token_not_found');
    testApp.clock.set(new Date());
  });
});

describe('promise 11: access tokens', () => {
  const claimsOf = (person: { userId: string }, sessionId: string) => ({
    role: 'authenticated',
    session_id: sessionId,
    sub: person.userId,
  });
  const sessionOf = async (userId: string) => {
    const [row] = await testApp.sql`SELECT id FROM private.sessions WHERE user_id = ${userId}`;
    return row?.id as string;
  };

  test('are refused with another algorithm, key, audience or issuer, or with embedded keys', async () => {
    const person = await testApp.signIn();
    const [signing] = (await readSigningKeys(testApp.app)).keys;
    if (!signing) throw new Error('no key');
    const key = await importJWK(signing.jwk, 'ES256');
    const foreign = await generateKeyPair('ES256', { extractable: true });
    const claims = claimsOf(person, await sessionOf(person.userId));
    const make = ({
      key: signer = key,
      header = {},
      issuer = 'http://quad.test/auth/v1',
      audience = 'authenticated',
      expires = '1h',
    }: {
      key?: Awaited<ReturnType<typeof importJWK>>;
      header?: object;
      issuer?: string;
      audience?: string;
      expires?: string | Date;
    } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: signing.kid, ...header })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(expires)
        .sign(signer);
    expect((await requestUser(await make())).status).toBe(200);

    const [head, body] = (await make()).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: signing.kid })
      .setIssuer('http://quad.test/auth/v1')
      .setAudience('authenticated')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(JSON.stringify(signing.jwk)));
    const forged = [
      none,
      `${head}.${body}.`,
      symmetric,
      await make({ key: foreign.privateKey }),
      await make({ key: foreign.privateKey, header: { jwk: await exportJWK(foreign.publicKey) } }),
      await make({ key: foreign.privateKey, header: { jku: `${serverUrl}/.well-known/jwks.json` } }),
      await make({ key: foreign.privateKey, header: { kid: 'another' } }),
      await make({ issuer: 'http://elsewhere.test/auth/v1' }),
      await make({ audience: 'anon' }),
      // Use an absolute time: the server's clock stands still while the real clock runs, so a token that expired one
      // second before the real time may still be valid for the server.
      await make({ expires: new Date(testApp.clock.now().getTime() - 1000) }),
    ];
    for (const token of forged) {
      const rest = await testApp.server.inject({
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${token}`, 'x-supabase-api-version': '2024-01-01' },
      });
      expect(rest.statusCode, token).toBe(403);
      const me = await testApp.server.inject({
        url: '/rest/v1/me',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(me.statusCode, token).toBe(401);
    }
  });
});

test('promise 10: the reset link has the configured URL, whatever the Host headers of the request say', async () => {
  const { email } = await testApp.signIn();
  await testApp.server.inject({
    method: 'POST',
    url: '/functions/v1/forgot-password',
    headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' },
    payload: { email },
  });
  const mail = testApp.mails.findLast((candidate) => candidate.to === email);
  if (mail?.kind !== 'reset_link') throw new Error('no link was mailed');
  const { renderEmail } = await import('#server/mail/templates.ts');
  const { defaultCampus } = await import('#contract/campus.ts');
  const sent = renderEmail(mail, { campus: defaultCampus, publicUrl: 'http://quad.test' });
  expect(sent.text).toContain('http://quad.test/reset-password/');
  expect(sent.text + sent.html).not.toContain('evil.test');
});

test('unknown paths under /auth/v1 return a JSON 404', async () => {
  const response = await testApp.server.inject({ url: '/auth/v1/nothing-here' });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'not_found' });
});
