import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let administrator: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  administrator = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());

const findIds = async (q: string): Promise<string[]> => {
  const url = `/rest/v1/moderation/people?${new URLSearchParams({ q })}`;
  const { body } = await sendRequest(testApp, administrator, 'GET', url);
  return body.items.map(({ id }: { id: string }) => id);
};

test('the console finds a name however the accents of the name and of the search are encoded', async () => {
  const composed = await testApp.signUp({ fullName: 'Renée Composed' });
  const decomposed = await testApp.signUp({ fullName: 'Rene\u0301e Decomposed' });
  for (const q of [' renée ', 'RENE\u0301E'])
    expect(await findIds(q)).toEqual(expect.arrayContaining([composed.userId, decomposed.userId]));
});

test('the console refuses a search text that the database cannot store', async () => {
  const { status } = await sendRequest(testApp, administrator, 'GET', '/rest/v1/moderation/people?q=a%00b');
  expect(status).toBe(400);
});
