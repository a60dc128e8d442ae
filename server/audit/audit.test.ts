import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSecrets } from '#server/platform/secrets.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { type Audit, createAudit } from './service.ts';

let quad: TestApp;
let audit: Audit;
beforeAll(async () => {
  const secrets = await makeSecrets();
  quad = await startTestApp({ deps: { secrets } });
  audit = createAudit({ sql: quad.sql, clock: quad.clock, pepper: secrets.pepper });
});
afterAll(() => quad.close());

test('a person’s entrances and departures are noted, with client and request, and without anything secret', async () => {
  const since = quad.clock.now();
  const person = await quad.signIn();
  const ask = (url: string, payload: object, headers = {}) =>
    quad.app.inject({ method: 'POST', url, payload, headers, remoteAddress: '192.0.2.7' });
  const { email } = person;
  await ask('/functions/v1/login-password', { email, password: 'not-the-password-1' });
  await ask('/functions/v1/login-password', { email: 'nobody@usc.edu', password: 'not-the-password-1' });
  const { authPassword } = (
    await ask('/functions/v1/login-password', { email, password: testPassword })
  ).json();
  await ask('/auth/v1/token?grant_type=password', { email, password: authPassword });
  await quad.app.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: person.headers,
    payload: { password: 'another-password-2' },
  });
  await ask('/functions/v1/forgot-password', { email });
  const mail = quad.mails.findLast((it) => it.kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  await ask('/functions/v1/reset-password', { token, password: 'a-third-password-3' });

  const events = await audit.list({ userId: person.userId, since, limit: 50 });
  expect(events.map(({ event }) => event)).toEqual([
    'signed_in',
    'sign_in_failed',
    'signed_in',
    'password_changed',
    'sessions_ended',
    'password_reset',
    'sessions_ended',
  ]);
  for (const { client, request_id } of events) expect([client, request_id]).not.toContain(null);
  const fromThere = await audit.list({ address: '192.0.2.7', since, limit: 50 });
  expect(fromThere.map(({ event }) => event)).toEqual([
    'sign_in_failed',
    'sign_in_failed',
    'signed_in',
    'password_reset',
    'sessions_ended',
  ]);
  const all = JSON.stringify(await quad.sql`SELECT * FROM private.security_events`);
  for (const secret of [
    email,
    'nobody@',
    '192.0.2.7',
    testPassword,
    token,
    authPassword,
    person.refreshToken,
  ]) {
    expect(all).not.toContain(secret);
  }
});

test('that an account was deleted is known after it', async () => {
  const since = quad.clock.now();
  const { userId, headers } = await quad.signIn();
  const gone = await quad.app.inject({
    method: 'DELETE',
    url: '/rest/v1/me',
    headers,
    payload: { confirmation: 'DELETE' },
  });
  expect(gone.statusCode).toBeLessThan(300);
  const events = await audit.list({ userId, since, limit: 50 });
  expect(events.at(-1)).toMatchObject({ event: 'account_deleted', user_id: userId });
});

test('a replayed refresh token is noted', async () => {
  const person = await quad.signIn();
  const refresh = () =>
    quad.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    });
  await refresh();
  quad.clock.advance(11);
  await refresh();
  const events = await audit.list({ userId: person.userId, since: new Date(0), limit: 50 });
  expect(events.at(-1)).toMatchObject({ event: 'refresh_token_replayed' });
});
