import { randomUUID } from 'node:crypto';
import type { ConsoleRole } from '#contract/console.ts';
import { moderationActionDelaySeconds } from '#contract/moderation.ts';
import { expectOk, type Person, type TestApp } from './app.ts';

/**
 * Gives a person a role in the moderation console. By default, also records in their sessions that the second
 * factor was verified.
 */
export const grantConsoleRole = async (
  { sql, clock }: Pick<TestApp, 'sql' | 'clock'>,
  { userId }: Pick<Person, 'userId'>,
  role: ConsoleRole,
  { secondFactor = true } = {},
): Promise<void> => {
  await sql`UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${userId}`;
  await sql`
    UPDATE private.sessions SET second_factor_at = ${secondFactor ? clock.now() : null} WHERE user_id = ${userId}`;
};

/** Signs up a moderator or an administrator who may use the console, with an authenticator app. */
export const signInToConsole = async (testApp: TestApp, role: ConsoleRole): Promise<Person> => {
  const person = await testApp.signIn({ fullName: 'Mona Monroe', email: `${randomUUID()}@usc.edu` });
  await grantConsoleRole(testApp, person, role);
  const now = testApp.clock.now();
  await testApp.sql`
    INSERT INTO private.second_factors (user_id, kind, name, sealed_secret, created_at, verified_at, updated_at)
    VALUES (${person.userId}, 'totp', 'Phone', 'sealed', ${now}, ${now}, ${now})`;
  // Get a new access token, because the console accepts only access tokens issued after the second factor was
  // verified.
  const { access_token: token, refresh_token: refreshToken } = await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    }),
  );
  return { ...person, token, refreshToken, headers: { authorization: `Bearer ${token}` } };
};

/**
 * Advances the clock and runs the jobs, so that moderators' pending actions take effect and their
 * notifications are stored.
 */
export const applyModerationActions = async ({
  clock,
  jobs,
}: Pick<TestApp, 'clock' | 'jobs'>): Promise<void> => {
  clock.advance(moderationActionDelaySeconds);
  await jobs.repeatNow('apply-missed-moderation-actions');
  await jobs.runAll();
};
