import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '#server/app.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { logInWithGoTrueClient } from '#server/testing/gotrue-client.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { createAuthenticator, enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';
import { changeConsoleRole } from './console-access.ts';
import { removeLostSecondFactor } from './second-factor-removal.ts';

let testApp: TestApp;
let commandApp: App;
beforeAll(async () => {
  testApp = await startTestApp();
  // The Supabase client (@supabase/auth-js) compares expiry times with the real clock, so set the test server's clock to
  // the current time.
  testApp.clock.set(new Date());
  await testApp.server.listen({ host: '127.0.0.1', port: 0 });
  commandApp = { ...testApp.app, actor: { name: 'shell:alice', reason: 'Lost the phone' } };
});
afterAll(() => testApp.close());

test('an administrator removes a lost second factor; it is audited and the person is notified', async () => {
  const { person } = await enrollTotp(testApp, await testApp.signIn());
  const waiting = await logInWithPassword(testApp, person);
  testApp.clock.advance(1);
  await removeLostSecondFactor(commandApp, person.userId);
  // Removing the second factor must not complete a log-in that awaited the second-factor check.
  expect((await sendRequest(testApp, waiting, 'GET', '/rest/v1/me')).status).toBe(401);
  const session = await logInWithPassword(testApp, person);
  expect((await sendRequest(testApp, session, 'GET', '/rest/v1/me')).status).toBe(200);
  await testApp.jobs.runAll();
  const { body } = await sendRequest(testApp, session, 'GET', '/rest/v1/notifications');
  expect(body.items).toContainEqual(
    expect.objectContaining({
      title: 'Two-step verification is off',
      text: expect.stringMatching(/^An administrator turned it off on /),
    }),
  );
  const [entry] = await testApp.sql`
    SELECT actor, reason FROM private.security_events
    WHERE event = 'second_factor_removed' AND user_id = ${person.userId}`;
  expect(entry).toEqual({ actor: 'shell:alice', reason: 'Lost the phone' });
  await expect(removeLostSecondFactor(commandApp, person.userId)).rejects.toMatchObject({
    code: 'second_factor_not_found',
  });
});

test('promise 82: a moderator uses the console only after proving the second factor with the Supabase client', async () => {
  const { email, userId } = await testApp.signIn();
  await changeConsoleRole(commandApp, userId, 'moderator');
  const { client, session } = await logInWithGoTrueClient(testApp, { email, password: testPassword });
  const open = async (token: string | undefined) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await sendRequest(testApp, { headers }, 'GET', '/rest/v1/moderation/access');
    return { status, ...body };
  };
  const refused = { status: 403, code: 'second_factor_required' };
  expect(await open(session.access_token)).toMatchObject(refused);
  const enrolled = await client.mfa.enroll({ factorType: 'totp' });
  const { id = '', totp } = enrolled.data ?? {};
  const authenticator = createAuthenticator(testApp, id, totp?.secret ?? '');
  const proved = await client.mfa.challengeAndVerify({ factorId: id, code: authenticator.code() });
  expect(await open(proved.data?.access_token)).toEqual({ status: 200, role: 'moderator' });

  const next = await logInWithGoTrueClient(testApp, { email, password: testPassword });
  expect(await open(next.session.access_token)).toMatchObject({ status: 401 });
  testApp.clock.advance(30);
  const again = await next.client.mfa.challengeAndVerify({ factorId: id, code: authenticator.code() });
  expect(await open(again.data?.access_token)).toEqual({ status: 200, role: 'moderator' });
  await next.client.mfa.unenroll({ factorId: id });
  expect(await open(again.data?.access_token)).toMatchObject(refused);
});
