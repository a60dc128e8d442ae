import { createHash, randomUUID } from 'node:crypto';
import { exportPKCS8, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createProblem } from '#contract/errors.ts';
import { systemClock } from '#server/platform/clock.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createCampusAddressClient } from '#server/testing/campus-addresses.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import {
  createTestBrowser,
  type ProviderPerson,
  startOpenidProvider,
  type TestProvider,
  testClientId,
  testClientSecret,
} from '#server/testing/openid-provider.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { createSignOnClient } from '#server/testing/sign-on-client.ts';
import { createAuthenticator } from '#server/testing/software-authenticator.ts';

let testApp: TestApp;
let provider: TestProvider;
let publicUrl: string;

const startAppWithSignOn = async (environment: Record<string, string> = {}): Promise<TestApp> => {
  const port = await findFreePort();
  publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOpenidProvider(publicUrl);
  const app = await startTestApp({
    environment: {
      QUAD_PUBLIC_URL: publicUrl,
      QUAD_OIDC_ISSUER: provider.issuer,
      QUAD_OIDC_CLIENT_ID: testClientId,
      QUAD_OIDC_CLIENT_SECRET: testClientSecret,
      QUAD_OIDC_NAME: 'USC NetID',
      QUAD_OIDC_MFA_ACR: 'https://refeds.org/profile/mfa',
      ...environment,
    },
    // The provider has the time of this machine.
    replace: { clock: systemClock },
  });
  await app.server.listen({ port, host: '127.0.0.1' });
  return app;
};

const createClient = () => createSignOnClient(publicUrl);

const createStudent = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const name = `tommy-${randomUUID().slice(0, 8)}`;
  return {
    sub: `sub-${name}`,
    email: `${name}@usc.edu`,
    email_verified: true,
    name: 'Tommy Trojan',
    ...more,
  };
};
/** As the official client documents the nonce of an ID token. */
const hashNonce = (nonce: string): string => createHash('sha256').update(nonce).digest('hex');
const readProfile = async (userId: string) => {
  const [row] = await testApp.sql`
    SELECT u.email, u.full_name, u.role, u.usc_verified, c.confirmed_at IS NOT NULL AS confirmed, c.password_hash
    FROM users u JOIN private.credentials c ON c.user_id = u.id WHERE u.id = ${userId}`;
  return row;
};
/** The client of a signed-in person, and a function that connects the sign-on with their account. */
const createLinkingClient = async (owner: Person) => {
  const client = createClient();
  await client.auth.setSession({ access_token: owner.token, refresh_token: owner.refreshToken });
  const link = async () => {
    const { data } = await client.auth.linkIdentity({
      provider: 'custom:campus' as 'keycloak',
      options: { redirectTo: `${publicUrl}/auth/callback`, skipBrowserRedirect: true },
    });
    const url = await client.browser.follow(data.url ?? '', client.isCallbackScreen);
    return client.auth.exchangeCodeForSession(url.searchParams.get('code') ?? '');
  };
  return { client, link };
};
/** Logs in as a native client does whose ID token states the person without an affiliation. */
const logInNatively = async (
  { eduperson_scoped_affiliation: _, ...person }: ProviderPerson,
  accessToken?: string,
) =>
  createClient().post('/auth/v1/token?grant_type=id_token', {
    provider: 'custom:campus',
    id_token: await provider.signIdToken({ ...person, jti: randomUUID(), nonce: hashNonce('nonce') }),
    nonce: 'nonce',
    ...(accessToken && { access_token: accessToken }),
  });
const countAccounts = async (): Promise<number> =>
  Number((await testApp.sql<{ count: string }[]>`SELECT count(*) FROM users`)[0]?.count);
const listEvents = async (event: string) =>
  testApp.sql<{ detail: string | null; user_id: string | null }[]>`
    SELECT detail, user_id FROM private.security_events WHERE event = ${event} ORDER BY id`;
const toHeaders = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

beforeAll(async () => {
  testApp = await startAppWithSignOn();
});
afterAll(async () => {
  await testApp.close();
  await provider.close();
});
beforeEach(() => {
  provider.answer = 'log in';
  provider.ignore = undefined;
  provider.enteredAt = undefined;
});

test('promise 107: the official client signs in by signInWithOAuth; a new person gets an account with badge and role', async () => {
  const person = createStudent({ eduperson_scoped_affiliation: ['member@usc.edu', 'alum@usc.edu'] });
  provider.person = person;
  const client = createClient();
  const url = await client.visitProvider();
  expect(url.searchParams.get('from')).toBe('/messages');
  const code = url.searchParams.get('code') ?? '';
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    email: person.email,
    app_metadata: { providers: ['email', 'custom:campus'], has_password: false },
    identities: [{ id: person.sub, provider: 'custom:campus', identity_data: { iss: provider.issuer } }],
  });
  const profile = { full_name: 'Tommy Trojan', role: 'Alumni', usc_verified: true, confirmed: true };
  expect(await readProfile(data.user?.id ?? '')).toMatchObject(profile);

  // The role follows the university, and the person cannot change it.
  const changed = await testApp.server.inject({
    method: 'PATCH',
    url: '/rest/v1/me',
    headers: toHeaders(data.session?.access_token),
    payload: { role: 'Student' },
  });
  expect(changed.json().fields).toHaveProperty('role');
  provider.person = { ...person, email: 'renamed@usc.edu', eduperson_scoped_affiliation: 'staff@usc.edu' };
  const again = await createClient().logIn();
  expect(again.data.user?.id).toBe(data.user?.id);
  expect(await readProfile(data.user?.id ?? '')).toMatchObject({ email: person.email, role: 'Staff' });
  const me = await testApp.server.inject({
    url: '/rest/v1/me',
    headers: toHeaders(again.data.session?.access_token),
  });
  expect(me.json()).toMatchObject({ role: 'Staff', is_role_verified: true });
});

test('affiliations of other universities are no membership', async () => {
  provider.person = createStudent({
    eduperson_scoped_affiliation: ['student@usc.edu.evil.example', 'affiliate'],
  });
  const { data } = await createClient().logIn();
  expect(await readProfile(data.user?.id ?? '')).toMatchObject({ role: null, usc_verified: false });
});

test('promise 109: badge, role and membership follow every log-in; a missing claim or an outage changes nothing', async () => {
  const person = createStudent({ eduperson_scoped_affiliation: 'affiliate@usc.edu' });
  provider.person = person;
  const { data } = await createClient().logIn();
  const userId = data.user?.id ?? '';
  const logInWith = async (claims: Partial<ProviderPerson>) => {
    provider.person = { ...person, eduperson_scoped_affiliation: undefined, ...claims };
    await createClient().logIn();
    const [row] = await testApp.sql`
      SELECT u.usc_verified, u.role, i.role AS stated_role, m.is_denied, m.ends_on IS NOT NULL AS ends,
        m.ended_at IS NOT NULL AS ended
      FROM users u JOIN private.identities i ON i.user_id = u.id JOIN private.memberships m ON m.user_id = u.id
      WHERE u.id = ${userId}`;
    return row;
  };
  const ended = { usc_verified: false, is_denied: true, ended: true };
  expect(await logInWith({})).toMatchObject(ended);
  const member = {
    usc_verified: true,
    role: 'Student',
    stated_role: 'Student',
    is_denied: false,
    ends: false,
    ended: false,
  };
  const student = { eduperson_scoped_affiliation: ['student@usc.edu'] };
  expect(await logInWith(student)).toMatchObject(member);
  for (const nothing of [undefined, [], '', [7]])
    expect(await logInWith({ eduperson_scoped_affiliation: nothing })).toMatchObject(member);
  expect(await logInWith({ eduperson_scoped_affiliation: ['library-walk-in'] })).toMatchObject({
    ...member,
    is_denied: true,
    ends: true,
  });
  provider.answer = 'cancel';
  await createClient().visitProvider();
  provider.answer = 'log in';
  expect(await logInWith({})).toMatchObject({ ends: true, ended: false });
  expect(await logInWith({ eduperson_scoped_affiliation: 'alum@usc.edu' })).toMatchObject({
    ...member,
    role: 'Alumni',
    stated_role: 'Alumni',
  });
});

test('promise 109: of a native client, too, userinfo states the affiliation; without it nobody gets account or badge', async () => {
  const affiliate = createStudent({ eduperson_scoped_affiliation: 'affiliate@usc.edu' });
  const student = { ...affiliate, eduperson_scoped_affiliation: 'student@usc.edu' };
  const accounts = await countAccounts();
  const refused = { status: 400, body: { code: 'sign_on_failed' } };
  expect(await logInNatively(affiliate)).toMatchObject({
    status: 400,
    body: { code: 'sign_on_failed', message: expect.stringContaining('send the access token') },
  });
  const ofAnother = await provider.issueAccessToken(createStudent());
  for (const token of [ofAnother, 'invented'])
    expect(await logInNatively(affiliate, token)).toMatchObject(refused);
  expect(await countAccounts()).toBe(accounts);

  const { body } = await logInNatively(affiliate, await provider.issueAccessToken(affiliate));
  const userId = (body.user as unknown as { id: string }).id;
  const other = { role: null, usc_verified: false };
  expect(await readProfile(userId)).toMatchObject(other);
  expect((await logInNatively(student)).status).toBe(200);
  expect(await readProfile(userId)).toMatchObject(other);
  await logInNatively(student, await provider.issueAccessToken(student));
  expect(await readProfile(userId)).toMatchObject({ role: 'Student', usc_verified: true });
});

/** Begins to add an authenticator app, which needs a proof of identity; returns the status. */
const enroll = async (token: string | undefined): Promise<number> =>
  (
    await testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/factors',
      headers: toHeaders(token),
      payload: { factor_type: 'totp' },
    })
  ).statusCode;

const expectProofByEnteredCredentials = async (): Promise<void> => {
  provider.person = createStudent();
  const client = createClient();
  const visit = async (queryParams: Record<string, string>, parameters: object) => {
    const { data } = await client.auth.signInWithOAuth({
      provider: 'custom:campus' as 'keycloak',
      options: { redirectTo: `${publicUrl}/`, skipBrowserRedirect: true, queryParams },
    });
    const toProvider = await client.browser.follow(data.url ?? '', (url) => url.startsWith(provider.issuer));
    expect(Object.fromEntries(toProvider.searchParams)).toMatchObject(parameters);
    const back = await client.browser.follow(toProvider.href, (url) => url.startsWith(`${publicUrl}/?`));
    return client.auth.exchangeCodeForSession(back.searchParams.get('code') ?? '');
  };
  // The provider has to state when the credentials were entered.
  const { data } = await visit({}, { max_age: String(365 * 24 * 60 * 60) });
  expect(await enroll(data.session?.access_token)).toBe(200);
  const proved = await visit({ prompt: 'login' }, { prompt: 'login', max_age: '0' });
  expect(await enroll(proved.data.session?.access_token)).toBe(200);

  for (const [minutesAgo, status] of [
    [undefined, 400],
    [11, 400],
    [9, 200],
  ] as const) {
    const auth_time = minutesAgo && Math.floor(Date.now() / 1000) - minutesAgo * 60;
    const { body } = await logInNatively({ ...provider.person, ...(auth_time && { auth_time }) });
    expect(await enroll(body.access_token)).toBe(status);
  }
};

test('a log-in at the university without credentials is no proof for changes of the log-in', async () => {
  await expectProofByEnteredCredentials();
});

describe('a proof by the sign-on in an open session', () => {
  /** Logs in without a recent proof; the returned function goes to the provider to prove that it is the owner. */
  const startProof = async () => {
    const student = createStudent();
    provider.person = student;
    const client = createClient();
    const { data } = await client.auth.exchangeCodeForSession(
      (await client.visitProvider()).searchParams.get('code') ?? '',
    );
    const userId = data.user?.id ?? '';
    await testApp.sql`UPDATE private.sessions SET reauthenticated_at = NULL WHERE user_id = ${userId}`;
    const start = () =>
      client.auth.linkIdentity({
        provider: 'custom:campus' as 'keycloak',
        options: {
          redirectTo: `${publicUrl}/auth/callback`,
          skipBrowserRedirect: true,
          queryParams: { prompt: 'login' },
        },
      });
    const visit = async (person = student) => {
      if (person !== student) client.browser.forget(provider.issuer);
      provider.person = person;
      const { data: started, error } = await start();
      expect(error).toBeNull();
      const { searchParams } = await client.browser.follow(started.url ?? '', client.isCallbackScreen);
      return () => client.auth.exchangeCodeForSession(searchParams.get('code') ?? '');
    };
    const prove = async (person?: ProviderPerson) => (await visit(person))();
    return { client, userId, session: data.session, start, prove, visit };
  };
  const listSessions = (userId: string) =>
    testApp.sql`SELECT id FROM private.sessions WHERE user_id = ${userId}`;

  test('promise 105: only the connected person proves it, and the session stays who it was', async () => {
    const { client, userId, session, prove } = await startProof();
    expect(await enroll(session?.access_token)).toBe(400);
    const sessions = await listSessions(userId);
    const accounts = await countAccounts();

    // Somebody without an account, and somebody with one.
    const stranger = createStudent();
    expect((await prove(stranger)).error).toMatchObject({ code: 'sign_on_other_person' });
    expect(await countAccounts()).toBe(accounts);
    await createClient().logIn();
    expect((await prove(stranger)).error).toMatchObject({ code: 'sign_on_other_person' });
    expect((await client.auth.getUser()).data.user?.id).toBe(userId);
    expect(await enroll(session?.access_token)).toBe(400);
    expect((await listEvents('sign_on_refused')).at(-1)).toEqual({ detail: 'other person', user_id: userId });

    client.browser.forget(provider.issuer);
    const { data, error } = await prove();
    expect(error).toBeNull();
    expect(data.user?.id).toBe(userId);
    expect(await enroll(data.session?.access_token)).toBe(200);
    expect(await listSessions(userId)).toEqual(sessions);
  });

  test.each([
    ['states no time of the log-in', undefined, 'no auth_time'],
    ['logs in without credentials', 11 * 60, 'old auth_time'],
  ])('is refused when the provider %s', async (_, age, detail) => {
    provider.enteredAt = age && Math.floor(Date.now() / 1000) - age;
    const { userId, session, prove } = await startProof();
    provider.ignore = (parameters) => {
      parameters.delete('prompt');
      if (age === undefined) parameters.delete('max_age');
      else parameters.set('max_age', '3600');
    };
    const { error } = await prove();
    expect(error).toMatchObject({ code: 'sign_on_not_proved' });
    expect(error?.message).toContain('USC NetID did not say that you entered your password just now');
    expect(await enroll(session?.access_token)).toBe(400);
    expect((await listEvents('sign_on_refused')).at(-1)).toEqual({ detail, user_id: userId });
  });

  test('connects nothing when the account was disconnected in the meantime', async () => {
    const { userId, start, visit } = await startProof();
    const finish = await visit();
    await testApp.sql`DELETE FROM private.identities WHERE user_id = ${userId}`;
    expect((await finish()).error).toMatchObject({ code: 'sign_on_other_person' });
    await testApp.sql`UPDATE private.sessions SET reauthenticated_at = now() WHERE user_id = ${userId}`;
    expect((await start()).error).toMatchObject({ code: 'identity_not_found' });
    expect(await testApp.sql`SELECT FROM private.identities WHERE user_id = ${userId}`).toHaveLength(0);
  });
});

test('only the ID token states how somebody logged in, and only a complete one changes the address', async () => {
  const student = createStudent();
  provider.person = student;
  const { data } = await createClient().logIn();
  const now = Math.floor(Date.now() / 1000);
  const token = await provider.issueAccessToken({ ...student, auth_time: now });
  const { body } = await logInNatively({ sub: student.sub }, token);
  expect(await enroll(body.access_token)).toBe(400);

  expect((await logInNatively({ sub: student.sub })).status).toBe(200);
  const [identity] = await testApp.sql`
    SELECT email FROM private.identities WHERE user_id = ${data.user?.id ?? ''}`;
  expect(identity).toEqual({ email: student.email });
});

test('a new person without a verified campus address gets no account', async () => {
  for (const claims of [
    { email_verified: false },
    { email: 'tommy@home.example' },
    { email: 'tommy@xusc.edu' },
  ]) {
    provider.person = createStudent(claims);
    const { error } = await createClient().logIn();
    expect(error).toMatchObject({ code: 'sign_on_address_missing' });
  }
});

describe('promise 105: an account that exists', () => {
  const expectProofNeeded = async (refusal = 'account_proof_needed') => {
    const client = createClient();
    const url = await client.visitProvider();
    const ticket = url.searchParams.get('code') ?? '';
    const { error } = await client.auth.exchangeCodeForSession(ticket);
    expect(error).toMatchObject({ code: refusal });
    return { client, ticket };
  };
  const findIdentities = (person: Person) =>
    testApp.sql`SELECT subject FROM private.identities WHERE user_id = ${person.userId}`;

  test('promise 105: is connected only after a code to its address, and then opens without one', async () => {
    const student = createStudent();
    const owner = await testApp.signIn({ email: student.email ?? '' });
    provider.person = student;
    const { client, ticket } = await expectProofNeeded();
    expect(await findIdentities(owner)).toEqual([]);

    const sent = await client.post('/functions/v1/send-sign-on-code', { ticket });
    expect(sent.body).toEqual({ email: owner.email });
    const refused = await client.post('/functions/v1/connect-sign-on', { ticket, isNew: true });
    expect(refused.body).toMatchObject({ code: 'account_exists' });
    const wrong = await client.post('/functions/v1/connect-sign-on', { ticket, code: '000000' });
    expect(wrong.status).toBe(400);
    const code = testApp.codeFor(owner.email);
    const inOtherBrowser = await createClient().post('/functions/v1/connect-sign-on', { ticket, code });
    expect(inOtherBrowser.body).toMatchObject({ code: 'sign_on_failed' });
    const connected = await client.post('/functions/v1/connect-sign-on', { ticket, code });
    expect(connected.status).toBe(200);
    const { email = '', authPassword = '' } = connected.body;
    const session = await client.auth.signInWithPassword({ email, password: authPassword });
    expect(session.data.user?.id).toBe(owner.userId);

    expect((await createClient().logIn()).data.user?.id).toBe(owner.userId);
    // The ticket works once.
    expect((await client.post('/functions/v1/connect-sign-on', { ticket, code })).status).toBe(400);
  });

  test('promise 105: is connected by its password, and never to a second person with the same address', async () => {
    const student = createStudent();
    const owner = await testApp.signIn({ email: student.email ?? '' });
    provider.person = student;
    const { client, ticket } = await expectProofNeeded();
    const proof = { ticket, password: testPassword };
    const { body } = await client.post('/functions/v1/connect-sign-on', proof);
    const session = await client.auth.signInWithPassword({
      email: owner.email,
      password: body.authPassword ?? '',
    });
    // The password was entered a moment ago.
    expect(await enroll(session.data.session?.access_token)).toBe(200);

    provider.person = { ...student, sub: 'the-next-person-with-this-address' };
    const next = await expectProofNeeded();
    await next.client.post('/functions/v1/send-sign-on-code', { ticket: next.ticket });
    const refused = await next.client.post('/functions/v1/connect-sign-on', {
      ticket: next.ticket,
      code: testApp.codeFor(owner.email),
    });
    expect(refused.body).toMatchObject({ code: 'sign_on_differs' });
    expect(await findIdentities(owner)).toEqual([{ subject: student.sub }]);
  });

  test('promise 105: one step does not connect an account with two-step verification', async () => {
    const student = createStudent();
    const owner = await testApp.signIn({ email: student.email ?? '' });
    await testApp.sql`
      INSERT INTO private.second_factors (user_id, kind, sealed_secret, verified_at, created_at, updated_at)
      VALUES (${owner.userId}, 'totp', 'sealed', now(), now(), now())`;
    provider.person = student;
    const { client, ticket } = await expectProofNeeded();
    const proof = { ticket, password: testPassword };
    const { body } = await client.post('/functions/v1/connect-sign-on', proof);
    expect(body).toMatchObject({ email: owner.email, isConnected: false });
    const { authPassword = '' } = body;
    await client.auth.signInWithPassword({ email: owner.email, password: authPassword });
    const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    expect(await findIdentities(owner)).toEqual([]);
    await expectProofNeeded();
  });

  test('promise 105: a password alone connects no account with a role in the console and passkeys', async () => {
    const student = createStudent();
    const owner = await testApp.signIn({ email: student.email ?? '' });
    await testApp.sql`
      INSERT INTO private.passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
      VALUES (${owner.userId}, ${Buffer.from(student.sub)}, ${Buffer.from('key')}, 0, '{}', 'Laptop', now())`;
    await testApp.sql`
      UPDATE private.credentials SET console_role = 'administrator' WHERE user_id = ${owner.userId}`;
    // The sign-on of anybody at the university could prove the second factor for the console then.
    const { client: linking } = await createLinkingClient(owner);
    const link = () =>
      linking.auth.linkIdentity({
        provider: 'custom:campus' as 'keycloak',
        options: { skipBrowserRedirect: true },
      });
    expect((await link()).error).toMatchObject({ code: 'insufficient_aal' });

    provider.person = student;
    const { client, ticket } = await expectProofNeeded();
    const proof = { ticket, password: testPassword };
    const { body } = await client.post('/functions/v1/connect-sign-on', proof);
    expect(body).toMatchObject({ isConnected: false });
    expect(await findIdentities(owner)).toEqual([]);
    await testApp.sql`UPDATE private.sessions SET second_factor_at = now() WHERE user_id = ${owner.userId}`;
    expect((await link()).error).toBeNull();
  });

  test('promise 105: a campus address that was added to an account leads to that account, without naming it', async () => {
    const student = createStudent();
    const owner = await testApp.signIn({ email: `${student.sub}@home.example` });
    const addresses = createCampusAddressClient(testApp);
    expect((await addresses.add(owner, student.email ?? '')).status).toBe(200);
    provider.person = student;
    const accounts = await countAccounts();
    const { client, ticket } = await expectProofNeeded('added_address_proof_needed');
    const sent = await client.post('/functions/v1/send-sign-on-code', { ticket });
    expect(sent.body).toEqual({ email: 's…@home.example' });
    const code = testApp.codeFor(owner.email);
    const { body } = await client.post('/functions/v1/connect-sign-on', { ticket, code });
    const session = await client.auth.signInWithPassword({
      email: body.email ?? '',
      password: body.authPassword ?? '',
    });
    expect(session.data.user?.id).toBe(owner.userId);
    expect((await createClient().logIn()).data.user?.id).toBe(owner.userId);
    expect(await countAccounts()).toBe(accounts);
  });

  test('promise 105: whoever has added the campus address of somebody else does not keep them out', async () => {
    const student = createStudent();
    const email = student.email ?? '';
    const stranger = await testApp.signIn({ email: `${student.sub}@home.example` });
    const addresses = createCampusAddressClient(testApp);
    expect((await addresses.add(stranger, email)).status).toBe(200);
    provider.person = student;
    const { client, ticket } = await expectProofNeeded('added_address_proof_needed');
    const body = { ticket, isNew: true };
    expect((await createClient().post('/functions/v1/connect-sign-on', body)).status).toBe(400);
    const started = await client.post('/functions/v1/connect-sign-on', body);
    expect(started.body).toMatchObject({ email, isConnected: true });
    const { data } = await client.auth.signInWithPassword({
      email,
      password: started.body.authPassword ?? '',
    });
    const userId = data.user?.id ?? '';
    expect(userId).not.toBe(stranger.userId);
    expect(await readProfile(userId)).toMatchObject({ email, usc_verified: true, confirmed: true });
    expect((await createClient().logIn()).data.user?.id).toBe(userId);
    expect(await readProfile(stranger.userId)).toMatchObject({ usc_verified: false });
    await testApp.collectMails();
    const mail = testApp.mails.findLast(({ to }) => to === stranger.email);
    expect(mail).toMatchObject({ kind: 'campus_address_moved', campusEmail: email });
    expect((await client.post('/functions/v1/connect-sign-on', body)).status).toBe(400);
  });

  test('a native client reads that its address has an account', async () => {
    const student = createStudent();
    await testApp.signIn({ email: student.email ?? '' });
    const id_token = await provider.signIdToken({ ...student, nonce: hashNonce('nonce') });
    const token = { provider: 'custom:campus', id_token, nonce: 'nonce' };
    expect(await createClient().post('/auth/v1/token?grant_type=id_token', token)).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists' },
    });
  });

  test('two first log-ins at the same time open the same new account', async () => {
    provider.person = createStudent();
    const logIns = [];
    for (const client of [createClient(), createClient()]) {
      const code = (await client.visitProvider()).searchParams.get('code') ?? '';
      logIns.push(() => client.auth.exchangeCodeForSession(code));
    }
    const [one, other] = await Promise.all(logIns.map((logIn) => logIn()));
    expect([one?.error, other?.error]).toEqual([null, null]);
    expect(other?.data.user?.id).toBe(one?.data.user?.id);
  });

  test('promise 105: a sign-up that waits for its code gives nobody a way in', async () => {
    const student = createStudent();
    await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/signup',
      payload: { email: student.email, password: testPassword, fullName: 'Mallory' },
    });
    provider.person = student;
    const { data } = await createClient().logIn();
    expect(await readProfile(data.user?.id ?? '')).toMatchObject({
      confirmed: true,
      password_hash: null,
      full_name: 'Tommy Trojan',
    });
  });

  test('promise 105: its owner connects it in an open session and disconnects it, and nobody else’s provider account', async () => {
    const owner = await testApp.signUp({ email: `gina-${randomUUID()}@home.example` });
    provider.person = createStudent();
    const { client, link } = await createLinkingClient(owner);
    const linked = await link();
    expect(linked.error).toBeNull();
    expect(linked.data.user?.id).toBe(owner.userId);
    expect(await readProfile(owner.userId)).toMatchObject({ usc_verified: true });
    const sessions = await testApp.sql`SELECT id FROM private.sessions WHERE user_id = ${owner.userId}`;
    expect(sessions).toHaveLength(1);
    expect((await createClient().logIn()).data.user?.id).toBe(owner.userId);

    const stranger = await testApp.signUp({ email: `otto-${randomUUID()}@home.example` });
    await client.auth.setSession({ access_token: stranger.token, refresh_token: stranger.refreshToken });
    expect((await link()).error).toMatchObject({ code: 'identity_already_exists' });

    await client.auth.setSession({
      access_token: linked.data.session?.access_token ?? '',
      refresh_token: linked.data.session?.refresh_token ?? '',
    });
    const { data: own } = await client.auth.getUserIdentities();
    const [identity] = own?.identities ?? [];
    if (!identity) throw new Error('no identity');
    const setConsoleRole = (role: string | null) => testApp.sql`
      UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${owner.userId}`;
    const [passkey] = await testApp.sql`
      INSERT INTO private.passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
      VALUES (${owner.userId}, ${Buffer.from(owner.userId)}, ${Buffer.from('key')}, 0, '{}', 'Laptop', now())
      RETURNING id`;
    await setConsoleRole('administrator');
    expect((await client.auth.unlinkIdentity(identity)).error).toMatchObject({ code: 'insufficient_aal' });
    await setConsoleRole(null);
    await testApp.sql`DELETE FROM private.passkeys WHERE id = ${passkey?.id}`;
    expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
    expect(await findIdentities(owner)).toEqual([]);
    await testApp.jobs.runAll();
    const kinds =
      await testApp.sql`SELECT event FROM notifications WHERE user_id = ${owner.userId} ORDER BY created_at`;
    expect(kinds.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['sign_on_connected', 'sign_on_disconnected']),
    );
  });
});

describe('the badge of an account that connects the sign-on', () => {
  const connectAs = async (email: string, campusEmail: string) => {
    const person = await testApp.signUp({ email });
    provider.person = createStudent({ email: campusEmail });
    const { link } = await createLinkingClient(person);
    expect((await link()).error).toBeNull();
    return readProfile(person.userId);
  };

  test('is not given for the address of a suspended account that was deleted', async () => {
    const campusEmail = `gone-${randomUUID()}@usc.edu`;
    const suspended = await testApp.signIn({ email: campusEmail });
    await testApp.sql`UPDATE private.credentials SET suspended_at = now() WHERE user_id = ${suspended.userId}`;
    const deleted = await testApp.server.inject({
      method: 'DELETE',
      url: '/rest/v1/me',
      headers: suspended.headers,
      payload: { confirmation: 'DELETE' },
    });
    expect(deleted.statusCode).toBe(200);
    const profile = await connectAs(`gina-${randomUUID()}@home.example`, campusEmail);
    expect(profile).toMatchObject({ usc_verified: false });
  });

  test('is not taken from another account by one that has a badge already', async () => {
    const addresses = createCampusAddressClient(testApp);
    const holder = await addresses.signInOutside();
    const campusEmail = addresses.newAddress();
    expect((await addresses.add(holder, campusEmail)).status).toBe(200);
    await connectAs(addresses.newAddress(), campusEmail);
    expect(await readProfile(holder.userId)).toMatchObject({ usc_verified: true });
  });
});

test('exchanges of codes and ID tokens are limited', async () => {
  const limit = vi.spyOn(testApp.app.limits, 'consume').mockImplementation(async (name) => {
    if (name === 'sign_on') throw createProblem('rate_limited', { retryAfter: 60 });
  });
  onTestFinished(() => limit.mockRestore());
  const { post } = createClient();
  const before = (await listEvents('sign_on_refused')).length;
  const code = { auth_code: 'unknown', code_verifier: 'x'.repeat(43) };
  expect((await post('/auth/v1/token?grant_type=pkce', code)).status).toBe(429);
  const token = { provider: 'custom:campus', id_token: 'a.b.c', nonce: 'nonce' };
  expect((await post('/auth/v1/token?grant_type=id_token', token)).status).toBe(429);
  expect(await listEvents('sign_on_refused')).toHaveLength(before);
});

describe('promise 106: refused, audited, and nothing created', () => {
  const expectRefused = async (attempt: () => Promise<unknown>): Promise<void> => {
    const accounts = await countAccounts();
    const before = (await listEvents('sign_on_refused')).length;
    await attempt();
    expect((await listEvents('sign_on_refused')).length).toBeGreaterThan(before);
    expect(await countAccounts()).toBe(accounts);
  };
  const nonce = 'a-nonce-of-the-native-client';
  const claimsOf = (person: ProviderPerson) => ({ ...person, nonce: hashNonce(nonce) });
  const sendIdToken = async (token: string) =>
    createClient().post('/auth/v1/token?grant_type=id_token', {
      provider: 'custom:campus',
      id_token: token,
      nonce,
    });

  test('promise 106: an ID token with a wrong issuer, audience, time, nonce, algorithm or key, or used twice', async () => {
    const person = createStudent();
    const { sign, foreignKey } = await createForgeries();
    const claims = claimsOf(person);
    const now = Math.floor(Date.now() / 1000);
    const tokens = {
      'another issuer': await provider.signIdToken({ ...claims, iss: 'https://evil.example' }),
      'another audience': await provider.signIdToken({ ...claims, aud: 'other-client' }),
      'several audiences': await provider.signIdToken({ ...claims, aud: [testClientId, 'other-client'] }),
      'another party': await provider.signIdToken({ ...claims, azp: 'other-client' }),
      'another nonce': await provider.signIdToken({ ...claims, nonce: hashNonce('another') }),
      'a nonce that is not hashed': await provider.signIdToken({ ...claims, nonce }),
      'no nonce': await provider.signIdToken(person),
      expired: await sign(provider.publicKey.kid, { ...claims, iat: now - 700, exp: now - 61 }),
      'alg none': [
        Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url'),
        Buffer.from(
          JSON.stringify({ iss: provider.issuer, aud: testClientId, iat: now, exp: now + 300, ...claims }),
        ).toString('base64url'),
        '',
      ].join('.'),
      'a foreign key': await sign(provider.publicKey.kid, claims),
      'an unknown key': await sign('unknown', claims),
      'the public key as a secret': await new SignJWT({ iss: provider.issuer, aud: testClientId, ...claims })
        .setProtectedHeader({ alg: 'HS256', kid: provider.publicKey.kid ?? '' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(Buffer.from(await exportSPKI((await importJWK(provider.publicKey, 'RS256')) as CryptoKey))),
    };
    expect(foreignKey).toBeTruthy();
    for (const [what, token] of Object.entries(tokens)) {
      await expectRefused(async () => {
        expect(await sendIdToken(token), what).toMatchObject({ status: 400 });
      });
    }

    const right = await provider.signIdToken({ ...claims, eduperson_scoped_affiliation: 'student' });
    const signedIn = await sendIdToken(right);
    expect(signedIn).toMatchObject({ status: 200, body: { user: { email: person.email } } });
    await expectRefused(async () => expect((await sendIdToken(right)).status).toBe(400));
    // The last character of a signature has bits without meaning.
    const respelled = `${right.slice(0, -1)}${String.fromCharCode(right.charCodeAt(right.length - 1) + 1)}`;
    await expectRefused(async () => expect((await sendIdToken(respelled)).status).toBe(400));
  });

  test('promise 106: a replayed response, code or state, another browser, another client, a mixed-up issuer', async () => {
    provider.person = createStudent();
    const client = createClient();
    const { data } = await client.auth.signInWithOAuth({
      provider: 'custom:campus' as 'keycloak',
      options: { redirectTo: `${publicUrl}/auth/callback`, skipBrowserRedirect: true },
    });
    const response = await client.browser.follow(data.url ?? '', (url) =>
      url.startsWith(`${publicUrl}/auth/v1/callback`),
    );
    const openIn = async (browser: ReturnType<typeof createTestBrowser>, url: URL | string) =>
      (await browser.follow(String(url), client.isCallbackScreen)).searchParams;
    const expectNoCode = async (browser: ReturnType<typeof createTestBrowser>, url: URL | string) => {
      const result = await openIn(browser, url);
      expect(result.get('code')).toBeNull();
      expect(result.get('error_code')).toBe('sign_on_failed');
    };

    const success = await openIn(client.browser, response);
    const code = success.get('code') ?? '';
    await expectRefused(() => expectNoCode(client.browser, response));
    // Another client does not know the verifier. Its attempt uses the code up.
    await expectRefused(async () => {
      const stolen = { auth_code: code, code_verifier: 'x'.repeat(43) };
      expect((await createClient().post('/auth/v1/token?grant_type=pkce', stolen)).status).toBe(400);
    });
    await expectRefused(async () =>
      expect((await client.auth.exchangeCodeForSession(code)).error).toMatchObject({
        code: 'sign_on_failed',
      }),
    );

    const begin = async () => {
      const start = await client.auth.signInWithOAuth({
        provider: 'custom:campus' as 'keycloak',
        options: { redirectTo: `${publicUrl}/auth/callback`, skipBrowserRedirect: true },
      });
      return client.browser.follow(start.data.url ?? '', (url) =>
        url.startsWith(`${publicUrl}/auth/v1/callback`),
      );
    };
    const forVictim = await begin();
    await expectRefused(() => expectNoCode(createTestBrowser(), forVictim));
    const mixedUp = await begin();
    mixedUp.searchParams.set('iss', 'https://evil.example');
    await expectRefused(() => expectNoCode(client.browser, mixedUp));
    const withoutIssuer = await begin();
    withoutIssuer.searchParams.delete('iss');
    await expectRefused(() => expectNoCode(client.browser, withoutIssuer));
    // The audit trail does not repeat whatever a browser sends as an error.
    const invented = await begin();
    invented.searchParams.delete('code');
    invented.searchParams.set('error', 'Call 555 \u001b[31m');
    await expectRefused(() => expectNoCode(client.browser, invented));
    expect((await listEvents('sign_on_refused')).at(-1)?.detail).toBe('OAUTH_AUTHORIZATION_RESPONSE_ERROR');
    // The provider's code of another log-in does not fit the verifier of this one.
    const [one, other] = [await begin(), await begin()];
    one.searchParams.set('code', other.searchParams.get('code') ?? '');
    await expectRefused(() => expectNoCode(client.browser, one));
  });

  test.each([
    'https://evil.example/auth/callback',
    '//evil.example/',
    'javascript:alert(1)',
    'PUBLIC@evil.example/',
    'PUBLIC.evil.example/',
  ])('promise 106: the log-in never returns to %s', async (target) => {
    await expectRefused(async () => {
      const query = new URLSearchParams({
        provider: 'custom:campus',
        redirect_to: target.replace('PUBLIC', publicUrl),
        code_challenge: createHash('sha256').update('verifier').digest('base64url'),
        code_challenge_method: 's256',
      });
      const response = await createTestBrowser().request(`${publicUrl}/auth/v1/authorize?${query}`);
      const location = new URL(response.headers.get('location') ?? '');
      expect(location.origin).toBe(publicUrl);
      expect(location.pathname).toBe('/auth/callback');
    });
  });

  const createForgeries = async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    return {
      foreignKey: await exportPKCS8(privateKey),
      sign: (kid: string | undefined, claims: object) =>
        new SignJWT({
          iss: provider.issuer,
          aud: testClientId,
          iat: Math.floor(Date.now() / 1000),
          exp: Math.floor(Date.now() / 1000) + 300,
          ...claims,
        })
          .setProtectedHeader({ alg: 'RS256', kid: kid ?? '' })
          .sign(privateKey),
    };
  };
});

test('a second factor of the university counts where its acr is configured', async () => {
  const person = createStudent({ eduperson_scoped_affiliation: 'student' });
  const logIn = async (acr?: string) =>
    createClient().post('/auth/v1/token?grant_type=id_token', {
      provider: 'custom:campus',
      id_token: await provider.signIdToken({ ...person, nonce: hashNonce('nonce'), ...(acr && { acr }) }),
      nonce: 'nonce',
    });
  const readLevel = (token = ''): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aal;
  expect(readLevel((await logIn('https://refeds.org/profile/sfa')).body.access_token)).toBe('aal1');
  expect(readLevel((await logIn('https://refeds.org/profile/mfa')).body.access_token)).toBe('aal2');
});

test('promise 108: canceling and an outage lead to the callback screen with a reason, and the next try works', async () => {
  provider.person = createStudent();
  provider.answer = 'cancel';
  const canceled = await createClient().visitProvider();
  expect(canceled.searchParams.get('error_code')).toBe('sign_on_canceled');
  expect(canceled.searchParams.get('from')).toBe('/messages');

  provider.answer = 'log in';
  const port = Number(new URL(provider.issuer).port);
  const client = createClient();
  const { data } = await client.auth.signInWithOAuth({
    provider: 'custom:campus' as 'keycloak',
    options: { redirectTo: `${publicUrl}/auth/callback`, skipBrowserRedirect: true },
  });
  const response = await client.browser.follow(data.url ?? '', (url) =>
    url.startsWith(`${publicUrl}/auth/v1/callback`),
  );
  const { person } = provider;
  await provider.close();
  const failed = await client.browser.follow(response.href, client.isCallbackScreen);
  expect(failed.searchParams.get('error_code')).toBe('sign_on_unavailable');
  delete testApp.app.signOnProvider.provider;
  expect((await client.visitProvider()).searchParams.get('error_code')).toBe('sign_on_unavailable');

  // It comes back with new keys.
  provider = await startOpenidProvider(publicUrl, port);
  provider.person = person;
  expect((await client.logIn()).error).toBeNull();
});

test('promise 108: a failure of this server on the way there leads to the callback screen, too', async () => {
  const limit = vi.spyOn(testApp.app.limits, 'consume').mockRejectedValueOnce(new Error('broken'));
  onTestFinished(() => limit.mockRestore());
  expect((await createClient().visitProvider()).searchParams.get('error_code')).toBe('internal');
});

describe('where the sign-on is required', () => {
  let earlier: { testApp: TestApp; provider: TestProvider; publicUrl: string };
  beforeAll(async () => {
    earlier = { testApp, provider, publicUrl };
    testApp = await startAppWithSignOn({ QUAD_OIDC_ONLY: 'true' });
  });
  afterAll(async () => {
    await testApp.close();
    await provider.close();
    ({ testApp, provider, publicUrl } = earlier);
  });

  test('promise 112: no password, code or reset link opens a campus account, and others log in as before', async () => {
    const student = createStudent();
    const email = student.email ?? '';
    const owner = await testApp.signIn({ email });
    const { post } = createClient();
    const password = testPassword;
    const attempts: [path: string, body: object][] = [
      ['/functions/v1/signup', { email: 'new@usc.edu', password, fullName: 'Nina New' }],
      ['/functions/v1/send-verification-code', { email }],
      ['/functions/v1/send-otp', { email }],
      ['/functions/v1/verify-otp', { email, code: '123456' }],
      ['/functions/v1/login-password', { email, password }],
      ['/functions/v1/forgot-password', { email }],
      ['/auth/v1/signup', { email: 'new@usc.edu', password }],
      ['/auth/v1/otp', { email }],
      ['/auth/v1/resend', { email, type: 'signup' }],
      ['/auth/v1/verify', { email, token: '123456', type: 'email' }],
      ['/auth/v1/recover', { email }],
    ];
    for (const [path, body] of attempts)
      expect(await post(path, body), path).toMatchObject({ status: 403, body: { code: 'sign_on_required' } });
    expect(testApp.mails.filter(({ to }) => to === email)).toEqual([]);

    // A reset link from before.
    const { mailResetLink } = await import('./reset-links.ts');
    const { runInTransaction } = await import('#server/platform/postgres/database.ts');
    await runInTransaction(testApp.sql, (tx) => mailResetLink(testApp.app, tx, email));
    await testApp.collectMails();
    const mail = testApp.mails.findLast((it) => it.kind === 'reset_link');
    const token = mail && 'token' in mail ? mail.token : '';
    expect(
      await post('/functions/v1/reset-password', { token, password: 'another-password-1' }),
    ).toMatchObject({
      status: 403,
      body: { code: 'sign_on_required' },
    });

    // Together with the sign-on, a code to the address proves the account once; a password does not.
    provider.person = student;
    const client = createClient();
    const ticket = (await client.visitProvider()).searchParams.get('code') ?? '';
    expect((await client.auth.exchangeCodeForSession(ticket)).error).toMatchObject({
      code: 'account_proof_needed',
    });
    const byPassword = await client.post('/functions/v1/connect-sign-on', { ticket, password });
    expect(byPassword.body).toMatchObject({ code: 'sign_on_required' });
    await client.post('/functions/v1/send-sign-on-code', { ticket });
    const code = testApp.codeFor(email);
    expect((await client.post('/functions/v1/verify-otp', { email, code })).status).toBe(403);
    expect((await client.post('/functions/v1/connect-sign-on', { ticket, code })).status).toBe(200);
    expect((await createClient().logIn()).data.user?.id).toBe(owner.userId);

    const outside = 'gina@home.example';
    await testApp.signIn({ email: outside });
    expect((await post('/functions/v1/login-password', { email: outside, password })).status).toBe(200);
  });

  test('promise 112: no passkey opens a campus account', async () => {
    const authenticator = createAuthenticator(publicUrl);
    const send = (path: string, person: Person | undefined, body: object = {}) =>
      sendRequest(testApp, person, 'POST', `/auth/v1/passkeys/${path}`, body);
    const refused = { status: 403, body: { code: 'sign_on_required' } };
    const student = await testApp.signIn();
    expect(await send('registration/options', student)).toMatchObject(refused);

    const outsider = await testApp.signIn({ email: `${randomUUID()}@home.example` });
    const { body: started } = await send('registration/options', outsider);
    const credential = authenticator.create(started.options);
    const { challenge_id } = started;
    expect((await send('registration/verify', outsider, { challenge_id, credential })).status).toBe(200);
    const logIn = async () => {
      const { body } = await send('authentication/options', undefined);
      const used = authenticator.get(body.options);
      const { challenge_id } = body;
      return send('authentication/verify', undefined, { challenge_id, credential: used });
    };
    expect((await logIn()).status).toBe(200);
    await testApp.sql`UPDATE users SET email = ${`${randomUUID()}@usc.edu`} WHERE id = ${outsider.userId}`;
    expect(await logIn()).toMatchObject(refused);
  });

  test('a moderator whose only second factor is a passkey uses it to connect the sign-on, but not as a proof', async () => {
    const authenticator = createAuthenticator(publicUrl);
    const send = (path: string, person: Person, body: object = {}) =>
      sendRequest(testApp, person, 'POST', `/auth/v1/passkeys/${path}`, body);
    const moderator = await testApp.signIn({ email: `${randomUUID()}@home.example` });
    const { body: started } = await send('registration/options', moderator);
    const added = {
      challenge_id: started.challenge_id,
      credential: authenticator.create(started.options),
    };
    expect((await send('registration/verify', moderator, added)).status).toBe(200);
    provider.person = createStudent();
    await testApp.sql`UPDATE users SET email = ${provider.person.email ?? ''} WHERE id = ${moderator.userId}`;
    await testApp.sql`
      UPDATE private.credentials SET console_role = 'moderator' WHERE user_id = ${moderator.userId}`;
    const connect = async (owner: Person) => (await createLinkingClient(owner)).link();
    await expect(connect(moderator)).rejects.toThrow();
    const { body } = await send('authentication/options', moderator);
    const response = { challenge_id: body.challenge_id, credential: authenticator.get(body.options) };
    const { status, body: proved } = await send('proof', moderator, response);
    expect(status).toBe(200);
    const withFactor = { ...moderator, token: proved.access_token, refreshToken: proved.refresh_token };
    const [session] = await testApp.sql`
      SELECT reauthenticated_at FROM private.sessions WHERE user_id = ${moderator.userId}`;
    expect(session).toEqual({ reauthenticated_at: null });
    expect((await connect(withFactor)).error).toBeNull();
  });

  test('only credentials entered lately at the university are a proof for changes of the log-in', async () => {
    await expectProofByEnteredCredentials();
  });

  test('promise 112: the earlier password of a campus account proves nothing in an open session', async () => {
    const reauthenticate = (person: Person) =>
      sendRequest(testApp, person, 'POST', '/rest/v1/me/reauthentication', { password: testPassword });
    expect(await reauthenticate(await testApp.signIn())).toMatchObject({
      status: 403,
      body: { code: 'sign_on_required' },
    });
    const outsider = await testApp.signIn({ email: `${randomUUID()}@home.example` });
    expect((await reauthenticate(outsider)).status).toBe(200);
  });

  test('promise 112: a code to a campus address gives nobody the badge, and connecting the sign-on does', async () => {
    const addresses = createCampusAddressClient(testApp);
    const outsider = await addresses.signInOutside();
    provider.person = createStudent();
    const email = provider.person.email ?? '';
    const refused = { status: 403, body: { code: 'sign_on_required' } };
    expect(await addresses.request(outsider, email)).toMatchObject(refused);
    await testApp.sql`
      INSERT INTO private.campus_addresses (user_id, email, requested_at) VALUES (${outsider.userId}, ${email}, now())`;
    expect(await addresses.verify(outsider, '123456')).toMatchObject(refused);
    expect(testApp.mails.filter(({ to }) => to === email)).toEqual([]);

    const { link } = await createLinkingClient(outsider);
    expect((await link()).error).toBeNull();
    expect(await readProfile(outsider.userId)).toMatchObject({ usc_verified: true });
  });

  test('promise 109: a log-in confirms the membership where the university states no affiliations', async () => {
    const student = createStudent();
    provider.person = student;
    const { data } = await createClient().logIn();
    const userId = data.user?.id ?? '';
    const logIn = async (
      claims: Partial<ProviderPerson>,
      send: () => Promise<unknown> = () => createClient().logIn(),
    ) => {
      await testApp.sql`
        UPDATE private.memberships SET ends_on = '2030-01-20', notices = 1 WHERE user_id = ${userId}`;
      provider.person = { ...student, ...claims };
      await send();
      const [row] = await testApp.sql`
        SELECT ends_on IS NOT NULL AS ends FROM private.memberships WHERE user_id = ${userId}`;
      return row;
    };
    expect(await logIn({})).toEqual({ ends: false });
    // A native client that sends no access token leaves open what userinfo would state.
    const sendIdToken = async () => expect((await logInNatively(student)).status).toBe(200);
    expect(await logIn({}, sendIdToken)).toEqual({ ends: true });
    expect(await logIn({ email_verified: false })).toEqual({ ends: true });
    expect(await logIn({ eduperson_scoped_affiliation: 'affiliate' })).toEqual({ ends: true });
    expect(await logIn({})).toEqual({ ends: true });
    // Somebody who has left may have no affiliation any more.
    expect(await logIn({ eduperson_scoped_affiliation: 'student' })).toEqual({ ends: false });
    expect(await logIn({})).toEqual({ ends: true });
  });

  test('promise 105: an account with two-step verification proves itself, and is then connected in Settings', async () => {
    provider.person = createStudent();
    const owner = await testApp.signIn({ email: provider.person.email ?? '' });
    await testApp.sql`
      INSERT INTO private.second_factors (user_id, kind, sealed_secret, verified_at, created_at, updated_at)
      VALUES (${owner.userId}, 'totp', 'sealed', now(), now(), now())`;
    const logIn = async (queryParams: Record<string, string>) => {
      const client = createClient();
      const { data } = await client.auth.signInWithOAuth({
        provider: 'custom:campus' as 'keycloak',
        options: { redirectTo: `${publicUrl}/auth/callback`, skipBrowserRedirect: true, queryParams },
      });
      const url = await client.browser.follow(data.url ?? '', client.isCallbackScreen);
      const ticket = url.searchParams.get('code') ?? '';
      await client.auth.exchangeCodeForSession(ticket);
      // The wait between two codes is over.
      await testApp.sql`DELETE FROM private.codes`;
      await client.post('/functions/v1/send-sign-on-code', { ticket });
      const code = testApp.codeFor(owner.email);
      const { body } = await client.post('/functions/v1/connect-sign-on', { ticket, code });
      expect(body).toMatchObject({ isConnected: false });
      const password = body.authPassword ?? '';
      await client.auth.signInWithPassword({ email: owner.email, password });
      await testApp.sql`
        UPDATE private.sessions SET second_factor_at = now(), second_factor_method = 'totp',
          reauthenticated_at = CASE WHEN ${queryParams.prompt === 'login'} THEN reauthenticated_at END
        WHERE user_id = ${owner.userId}`;
      const { session } = (await client.auth.refreshSession()).data;
      return { ...owner, token: session?.access_token ?? '', refreshToken: session?.refresh_token ?? '' };
    };
    // Without credentials entered at the university, whoever uses the browser could do this.
    const { client } = await createLinkingClient(await logIn({}));
    const { error } = await client.auth.linkIdentity({
      provider: 'custom:campus' as 'keycloak',
      options: { skipBrowserRedirect: true },
    });
    expect(error).toMatchObject({ code: 'reauthentication_needed' });
    const { link } = await createLinkingClient(await logIn({ prompt: 'login' }));
    expect((await link()).error).toBeNull();
    expect((await createClient().logIn()).data.user?.id).toBe(owner.userId);
  });
});
