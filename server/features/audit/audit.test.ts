import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { listSecurityEvents, noteSecurityEvent } from './service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

test('the audit trail records log-ins and log-outs with client and request, without secrets', async () => {
  const since = testApp.clock.now();
  const person = await testApp.signIn();
  const ask = (url: string, payload: object, headers = {}) =>
    testApp.server.inject({ method: 'POST', url, payload, headers, remoteAddress: '192.0.2.7' });
  const { email } = person;
  await ask('/functions/v1/login-password', { email, password: 'not-the-password-1' });
  await ask('/functions/v1/login-password', { email: 'nobody@usc.edu', password: 'not-the-password-1' });
  const { authPassword } = (
    await ask('/functions/v1/login-password', { email, password: testPassword })
  ).json();
  await ask('/auth/v1/token?grant_type=password', { email, password: authPassword });
  await testApp.server.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: person.headers,
    payload: { password: 'another-password-2' },
  });
  await ask('/functions/v1/forgot-password', { email });
  const mail = testApp.mails.findLast((it) => it.kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  await ask('/functions/v1/reset-password', { token, password: 'a-third-password-3' });

  const events = await listSecurityEvents(testApp.app, { userId: person.userId, since, limit: 50 });
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
  const ofAddress = await listSecurityEvents(testApp.app, { address: '192.0.2.7', since, limit: 50 });
  expect(ofAddress.map(({ event }) => event)).toEqual([
    'sign_in_failed',
    'sign_in_failed',
    'signed_in',
    'password_reset',
    'sessions_ended',
  ]);
  const all = JSON.stringify(await testApp.sql`SELECT * FROM private.security_events`);
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

test('the audit entry of an account deletion remains after the deletion', async () => {
  const since = testApp.clock.now();
  const { userId, headers } = await testApp.signIn();
  const gone = await testApp.server.inject({
    method: 'DELETE',
    url: '/rest/v1/me',
    headers,
    payload: { confirmation: 'DELETE' },
  });
  expect(gone.statusCode).toBeLessThan(300);
  const events = await listSecurityEvents(testApp.app, { userId, since, limit: 50 });
  expect(events.at(-1)).toMatchObject({ event: 'account_deleted', user_id: userId });
});

test('a replayed refresh token is recorded in the audit trail', async () => {
  const person = await testApp.signIn();
  const refresh = () =>
    testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    });
  await refresh();
  testApp.clock.advance(11);
  await refresh();
  const events = await listSecurityEvents(testApp.app, {
    userId: person.userId,
    since: new Date(0),
    limit: 50,
  });
  expect(events.at(-1)).toMatchObject({ event: 'refresh_token_replayed', actor: 'visitor' });
});

describe('promise 53: audit entries name actor, subject and reason', () => {
  test('a person is the actor of their own actions, and unauthenticated attempts name no actor', async () => {
    const since = testApp.clock.now();
    const person = await testApp.signIn();
    const { email, headers } = person;
    const post = (url: string, payload: object, by = {}) =>
      testApp.server.inject({ method: 'POST', url, payload, headers: by });
    await post('/functions/v1/login-password', { email, password: 'not-the-password-1' });
    await post('/auth/v1/logout?scope=global', {}, headers);
    const events = await listSecurityEvents(testApp.app, { userId: person.userId, since, limit: 50 });
    expect(events.map(({ event, actor, reason }) => [event, actor, reason])).toEqual([
      ['signed_in', person.userId, 'own request'],
      ['sign_in_failed', 'visitor', 'wrong credentials'],
      ['sessions_ended', person.userId, 'own request'],
    ]);
  });

  test('the system is the actor of background jobs', async () => {
    await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/signup',
      payload: { email: 'never.confirmed@usc.edu', password: testPassword, fullName: 'Nell Never' },
    });
    testApp.clock.advance(8 * 24 * 3600);
    const since = testApp.clock.now();
    await testApp.jobs.repeatNow('remove-overdue');
    expect(await listSecurityEvents(testApp.app, { since, limit: 50 })).toMatchObject([
      { event: 'account_deleted', actor: 'system', reason: 'address not confirmed in time' },
    ]);
  });

  test('an administrator is the actor of their commands, with their reason', async () => {
    const { userId } = await testApp.signIn();
    const app = { ...testApp.app, actor: { name: 'shell:alice', reason: 'Asked by the dean' } };
    await noteSecurityEvent(app, { event: 'account_suspended', userId });
    const events = await listSecurityEvents(testApp.app, { userId, since: new Date(0), limit: 50 });
    expect(events.at(-1)).toMatchObject({
      event: 'account_suspended',
      user_id: userId,
      actor: 'shell:alice',
      reason: 'Asked by the dean',
    });
  });

  test('every entry has an actor, a subject and a reason', async () => {
    await testApp.server.inject({
      method: 'POST',
      url: '/functions/v1/login-password',
      payload: { email: 'nobody@usc.edu', password: testPassword },
    });
    expect(
      await testApp.sql`
      SELECT event FROM private.security_events WHERE actor IS NULL OR reason IS NULL`,
    ).toEqual([]);
    // Only failed log-ins may lack a user id, because the email address that was entered may belong
    // to no account.
    expect(
      await testApp.sql`
      SELECT DISTINCT event FROM private.security_events WHERE user_id IS NULL`,
    ).toEqual([{ event: 'sign_in_failed' }]);
  });
});
