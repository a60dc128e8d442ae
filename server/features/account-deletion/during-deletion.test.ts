import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDuringDeletion } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let person: Person;

beforeAll(async () => {
  testApp = await startTestApp();
});
beforeEach(async () => {
  person = await testApp.signIn();
});
afterAll(() => testApp.close());

const requestLink = () =>
  sendRequest(testApp, undefined, 'POST', '/functions/v1/forgot-password', { email: person.email });
const findMailedLinks = () =>
  testApp.mails.filter((mail) => mail.kind === 'reset_link' && mail.to === person.email);

test('requesting a reset link for an account that is being deleted sends nothing and still succeeds', async () => {
  const response = await sendDuringDeletion(testApp, person, requestLink);
  expect(response).toMatchObject({ status: 200, body: { success: true } });
  expect(findMailedLinks()).toEqual([]);
});

test('requesting another reset link for an account that is being deleted sends nothing and still succeeds', async () => {
  await requestLink();
  testApp.clock.advance(60);
  const response = await sendDuringDeletion(testApp, person, requestLink);
  expect(response).toMatchObject({ status: 200, body: { success: true } });
  expect(findMailedLinks()).toHaveLength(1);
});

test.each([
  { name: 'sends a reset link', method: 'POST', path: '/actions', body: { action: 'send_reset_link' } },
  { name: 'deletes the account', method: 'DELETE', path: '', body: {} },
] as const)(
  'an administrator who $name gets account_not_found while its owner is deleting it',
  async ({ method, path, body }) => {
    const administrator = await signInToConsole(testApp, 'administrator');
    const url = `/rest/v1/moderation/people/${person.userId}${path}`;
    const payload = {
      reason: 'Asked by phone',
      ...(method === 'DELETE' && { email: person.email }),
      ...body,
    };
    const response = await sendDuringDeletion(testApp, person, () =>
      sendRequest(testApp, administrator, method, url, payload),
    );
    expect(response.body).toEqual({ code: 'account_not_found', error: 'This account does not exist' });
    expect(findMailedLinks()).toEqual([]);
  },
);
