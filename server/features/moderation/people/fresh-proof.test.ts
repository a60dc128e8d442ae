import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, testPassword as password, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let administrator: Person;
let moderator: Person;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  administrator = await signInToConsole(testApp, 'administrator');
  moderator = await signInToConsole(testApp, 'moderator');
  testApp.clock.advance(10 * 60);
});

const act = (body: object) =>
  sendRequest(testApp, administrator, 'POST', `/rest/v1/moderation/people/${moderator.userId}/actions`, {
    reason: 'Left the team',
    ...body,
  });
const remove = () =>
  sendRequest(testApp, administrator, 'DELETE', `/rest/v1/moderation/people/${moderator.userId}`, {
    email: moderator.email,
    reason: 'Asked for it',
  });
const readPerson = () => testApp.sql`
  SELECT console_role, (SELECT count(*)::int FROM private.second_factors f WHERE f.user_id = c.user_id) AS factors
  FROM private.credentials c WHERE user_id = ${moderator.userId}`;

test.each<[string, () => ReturnType<typeof act>]>([
  ['changing a role', () => act({ action: 'set_role', role: 'administrator' })],
  ['removing a second factor', () => act({ action: 'remove_second_factor' })],
  ['deleting an account', remove],
])('%s needs a log-in, password or code of the last ten minutes', async (_what, call) => {
  const before = await readPerson();
  expect(await call()).toMatchObject({ status: 400, body: { code: 'reauthentication_needed' } });
  expect(await readPerson()).toEqual(before);
  await sendRequest(testApp, administrator, 'POST', '/rest/v1/me/reauthentication', { password });
  expect((await call()).status).toBe(200);
  expect(await readPerson()).not.toEqual(before);
});

test('other actions on an account need no recent log-in', async () => {
  expect((await act({ action: 'suspend', days: 1 })).status).toBe(200);
});
