import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const post = (url: string, payload: object) => sendRequest(testApp, undefined, 'POST', url, payload);

let count = 0;
const newEmail = (domain = 'usc.edu') => {
  count += 1;
  return `suspended-${count}@${domain}`;
};

/**
 * Suspends an account directly in the database, which leaves its session active, and deletes the account with this
 * session.
 */
const deleteWhileSuspended = async ({
  email,
  campusEmail,
  days,
}: {
  email: string;
  campusEmail?: string;
  days?: number;
}): Promise<void> => {
  const person = await testApp.signIn({ email });
  const now = testApp.clock.now();
  if (campusEmail)
    await testApp.sql`
      INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
      VALUES (${person.userId}, ${campusEmail}, ${now}, ${now})`;
  await testApp.sql`
    UPDATE private.credentials
    SET suspended_at = ${now}, suspended_until = ${days === undefined ? null : addSeconds(now, days * dayInSeconds)}
    WHERE user_id = ${person.userId}`;
  const deleted = await sendRequest(testApp, person, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' });
  expect(deleted.status).toBe(200);
};

/** Signs up again under an address and enters the code. Returns the code of the error, if any. */
const signUpAgain = async (email: string): Promise<string | undefined> => {
  testApp.clock.advance(60);
  const signedUp = await post('/functions/v1/signup', {
    email,
    password: testPassword,
    fullName: 'Ray Turner',
  });
  expect(signedUp.status).toBe(200);
  return (await post('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) })).body.code;
};

const confirmByAdministrator = async (id: string | undefined) =>
  sendRequest(
    testApp,
    await signInToConsole(testApp, 'administrator'),
    'POST',
    `/rest/v1/moderation/people/${id}/actions`,
    { action: 'confirm', reason: 'Asked by phone' },
  );

describe('promise 88: a suspended person cannot return under the same verified address', () => {
  test('while the account exists', async () => {
    const email = newEmail();
    const { userId } = await testApp.signIn({ email });
    await testApp.sql`UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${userId}`;
    expect(
      (await post('/functions/v1/signup', { email, password: testPassword, fullName: 'Ray Turner' })).body
        .code,
    ).toBe('account_exists');
    expect((await post('/functions/v1/login-password', { email, password: testPassword })).body.code).toBe(
      'account_suspended',
    );
  });

  test('after the account was deleted, neither by code nor by reset link nor with the Supabase client', async () => {
    const email = newEmail();
    await deleteWhileSuspended({ email });
    expect(await signUpAgain(email)).toBe('account_suspended');
    testApp.clock.advance(60);
    await post('/functions/v1/send-otp', { email });
    const verified = await post('/auth/v1/verify', { email, token: testApp.codeFor(email), type: 'email' });
    expect(verified).toMatchObject({ status: 403, body: { code: 'user_banned' } });
    testApp.clock.advance(60);
    await post('/functions/v1/forgot-password', { email });
    const mail = testApp.mails.findLast(({ to, kind }) => to === email && kind === 'reset_link');
    const token = mail?.kind === 'reset_link' ? mail.token : '';
    expect(
      (await post('/functions/v1/reset-password', { token, password: 'a-new-password-9' })).body.code,
    ).toBe('account_suspended');
    expect(
      await testApp.sql`SELECT FROM private.sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ${email}`,
    ).toHaveLength(0);
  });

  test('the campus address of the deleted account can be used neither to sign up nor in another account', async () => {
    const campusEmail = newEmail();
    await deleteWhileSuspended({ email: newEmail('home.example'), campusEmail });
    const other = await testApp.signIn({ email: newEmail('home.example') });
    const added = await sendRequest(testApp, other, 'POST', '/rest/v1/me/campus-address', {
      email: campusEmail,
    });
    expect(added.status).toBe(200);
    expect(testApp.mails.findLast(({ to }) => to === campusEmail)).toMatchObject({
      kind: 'campus_address_taken',
      advice: 'support',
    });
    expect(await signUpAgain(campusEmail)).toBe('account_suspended');
  });

  test('a code sent to the campus address before the suspension is refused', async () => {
    const campusEmail = newEmail();
    const other = await testApp.signIn({ email: newEmail('home.example') });
    await sendRequest(testApp, other, 'POST', '/rest/v1/me/campus-address', { email: campusEmail });
    const code = testApp.codeFor(campusEmail);
    await deleteWhileSuspended({ email: newEmail('home.example'), campusEmail });
    const verified = await sendRequest(testApp, other, 'POST', '/rest/v1/me/campus-address/verify', { code });
    expect(verified.body.code).toBe('campus_address_taken');
  });

  test.each([
    [3, 3],
    [undefined, 2 * 365],
    [5 * 365, 2 * 365],
  ])('a suspension for %s days refuses the address for %i days', async (days, refusedDays) => {
    const email = newEmail();
    await deleteWhileSuspended({ email, ...(days === undefined ? {} : { days }) });
    testApp.clock.advance(refusedDays * dayInSeconds - 3600);
    expect(await signUpAgain(email)).toBe('account_suspended');
    testApp.clock.advance(3600);
    expect(await signUpAgain(email)).toBeUndefined();
  });

  test('until an administrator confirms an account with the address', async () => {
    const email = newEmail();
    await deleteWhileSuspended({ email });
    expect(await signUpAgain(email)).toBe('account_suspended');
    const [account] = await testApp.sql<{ id: string }[]>`SELECT id FROM users WHERE email = ${email}`;
    const confirmed = await confirmByAdministrator(account?.id);
    expect(confirmed.status).toBe(200);
    testApp.clock.advance(60);
    await post('/functions/v1/send-otp', { email });
    const verified = await post('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
    expect(verified.status).toBe(200);
  });

  test('confirming a suspended account does not lift its suspension', async () => {
    const email = newEmail();
    const { userId } = await testApp.signIn({ email });
    const now = testApp.clock.now();
    await testApp.sql`
      UPDATE private.credentials SET suspended_at = ${now}, confirmed_at = NULL WHERE user_id = ${userId}`;
    const confirmed = await confirmByAdministrator(userId);
    expect(confirmed.body).toMatchObject({
      confirmed_at: now.toISOString(),
      suspended_at: now.toISOString(),
    });
    testApp.clock.advance(60);
    await post('/functions/v1/send-otp', { email });
    const verified = await post('/functions/v1/verify-otp', { email, code: testApp.codeFor(email) });
    expect(verified.body.code).toBe('account_suspended');
  });

  test('only a keyed hash of the address is kept, and it is removed when the suspension would have ended', async () => {
    const email = newEmail();
    await testApp.sql`DELETE FROM private.suspended_addresses`;
    await deleteWhileSuspended({ email, days: 3 });
    const [row] = await testApp.sql`SELECT s::text AS row FROM private.suspended_addresses s`;
    expect(row?.row).not.toContain(email);
    testApp.clock.advance(3 * dayInSeconds);
    await testApp.jobs.repeatNow('remove-overdue');
    expect(await testApp.sql`SELECT FROM private.suspended_addresses`).toHaveLength(0);
  });

  test('no address is kept of accounts that are not suspended or whose suspension has ended', async () => {
    await testApp.sql`DELETE FROM private.suspended_addresses`;
    const person = await testApp.signIn();
    await sendRequest(testApp, person, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' });
    await deleteWhileSuspended({ email: newEmail(), days: 0 });
    expect(await testApp.sql`SELECT FROM private.suspended_addresses`).toHaveLength(0);
  });
});
