import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnSession } from '#contract/accounts.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import {
  expectOk,
  type Person,
  startTestApp,
  type TestApp,
  testPassword,
  toPersonFromTokenResponse,
} from '#server/testing/app.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { enrollTotp, logInWithPassword } from '#server/testing/second-factors.ts';

let testApp: TestApp;
let isolated: TestApp;
beforeAll(async () => {
  const secrets = generateSecrets();
  testApp = await startTestApp({ replace: { secrets } });
  // A second server on the same database with its own bus, so it does not receive announcements of ended sessions.
  const { sql, clock } = testApp;
  isolated = await startTestApp({ replace: { secrets, sql, clock, bus: createInProcessBus() } });
});
afterAll(async () => {
  await isolated.close();
  await testApp.close();
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

const logInWith = async (userAgent: string, { email }: Person): Promise<Person> => {
  const post = (url: string, payload: object) =>
    expectOk(testApp.server.inject({ method: 'POST', url, payload, headers: { 'user-agent': userAgent } }));
  const { authPassword } = await post('/functions/v1/login-password', { email, password: testPassword });
  const grant = await post('/auth/v1/token?grant_type=password', { email, password: authPassword });
  return toPersonFromTokenResponse(email, grant);
};
const list = async (person: Person): Promise<OwnSession[]> =>
  (await sendRequest(testApp, person, 'GET', '/rest/v1/me/sessions')).body.items;
const end = (person: Person, id: string) =>
  sendRequest(testApp, person, 'DELETE', `/rest/v1/me/sessions/${id}`);
const fetchMeStatus = async (app: TestApp, person: Person) =>
  (await sendRequest(app, person, 'GET', '/rest/v1/me')).status;

test('lists browser and system, first and last use, with the current session first', async () => {
  const person = await testApp.signIn();
  const began = testApp.clock.now().toISOString();
  testApp.clock.advance(60);
  const onPhone = await logInWith(phone, person);
  testApp.clock.advance(3000);
  await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    }),
  );
  const here = await logInWith(firefox, person);
  const sessions = await list(here);
  expect(sessions.map(({ device_name, is_current }) => [device_name, is_current])).toEqual([
    ['Firefox on Linux', true],
    ['Browser', false],
    ['Chrome on Android', false],
  ]);
  expect(sessions[1]).toMatchObject({ created_at: began, last_used_at: testApp.clock.now().toISOString() });
  expect((await list(onPhone))[0]).toMatchObject({ device_name: 'Chrome on Android', is_current: true });
});

test('lists a log-in that awaits its second factor, but no session of another person', async () => {
  const { person } = await enrollTotp(testApp, await testApp.signIn());
  await logInWithPassword(testApp, person);
  await testApp.signIn();
  expect((await list(person)).map(({ awaits_second_factor }) => awaits_second_factor)).toEqual([false, true]);
});

test('promise 12: ending a session ends its access at once, within 5 s in a process that misses the announcement', async () => {
  const person = await testApp.signIn();
  const elsewhere = await logInWith(phone, person);
  expect(await fetchMeStatus(isolated, elsewhere)).toBe(200);
  const [, other] = await list(person);
  expect(await end(person, other?.id ?? '')).toMatchObject({ status: 200 });
  expect(await fetchMeStatus(testApp, elsewhere)).toBe(401);
  testApp.clock.advance(5);
  expect(await fetchMeStatus(isolated, elsewhere)).toBe(401);
  expect(await list(person)).toHaveLength(1);
  expect(await end(person, other?.id ?? '')).toMatchObject({
    status: 404,
    body: { code: 'session_not_found' },
  });
});

test('somebody else’s session cannot be ended', async () => {
  const [person, stranger] = [await testApp.signIn(), await testApp.signIn()];
  const [own] = await list(person);
  expect(await end(stranger, own?.id ?? '')).toMatchObject({
    status: 404,
    body: { code: 'session_not_found' },
  });
  expect(await fetchMeStatus(testApp, person)).toBe(200);
});

test('the person is notified of a log-in on a new device, with browser, system and time, but not of the first log-in', async () => {
  const person = await testApp.signIn();
  const readTexts = async (): Promise<string[]> => {
    await testApp.jobs.runAll();
    const { body } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
    return body.items.map(({ text }: { text: string }) => text);
  };
  expect(await readTexts()).toEqual([]);
  await logInWith(phone, person);
  expect(await readTexts()).toEqual([
    expect.stringMatching(/^Somebody logged in to your account with Chrome on Android on \w+, \w+ \d+, /),
  ]);
});

test('the name of a device contains no text of the User-Agent header', async () => {
  const person = await testApp.signIn();
  const hostile = await logInWith('Account locked, visit evil.example/1.0 (Windows NT 10.0)', person);
  expect((await list(hostile))[0]?.device_name).toBe('Browser on Windows');
});

test('with a second factor, the person is notified of a new device before the log-in is complete', async () => {
  const { person } = await enrollTotp(testApp, await testApp.signIn());
  await testApp.jobs.runAll();
  testApp.clock.advance(1);
  await logInWith(firefox, person);
  await testApp.jobs.runAll();
  const { body } = await sendRequest(testApp, person, 'GET', '/rest/v1/notifications');
  expect(body.items[0].text).toMatch(
    /^Somebody entered your password or an emailed code with Firefox on Linux on .*\. The log-in needs your second factor, too\./,
  );
});
