import { afterAll, beforeAll, expect, test } from 'vitest';
import { toConversationTopic, toUserTopic } from '#contract/realtime.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { getListeningPort, openRawSocket, type RawSocket } from '#server/testing/raw-socket.ts';
import { waitWithTimeout } from '#server/testing/wait-with-timeout.ts';

const cleanupCallbacks: (() => Promise<unknown>)[] = [];
/**
 * Two servers on one database: tests end sessions through `firstServer` while `secondServer` still has these sessions
 * cached and holds their WebSockets.
 */
let firstServer: TestApp;
let secondServer: TestApp;
let friend: Person;

beforeAll(async () => {
  const database = await createTestDatabase();
  cleanupCallbacks.push(database.drop);
  const secrets = generateSecrets();
  const clock = createTestClock();
  const start = async () => {
    const sql = openDatabase(database.url, { max: 6 });
    cleanupCallbacks.push(() => sql.end());
    const bus = await createPostgresBus(sql, silentLog);
    cleanupCallbacks.push(bus.close);
    const testApp = await startTestApp({ replace: { sql, bus, secrets, clock } });
    cleanupCallbacks.push(testApp.close);
    await testApp.server.listen({ port: 0, host: '127.0.0.1' });
    return { ...testApp, sql, clock };
  };
  firstServer = await start();
  secondServer = await start();
  friend = await firstServer.signIn();
});
afterAll(async () => {
  for (const close of cleanupCallbacks.reverse()) await close();
});

const getStatusFromSecondServer = async (person: Person): Promise<number> => {
  const response = await secondServer.server.inject({ url: '/rest/v1/me', headers: person.headers });
  return response.statusCode;
};

const resetPassword = async ({ email }: Person): Promise<unknown> => {
  await firstServer.server.inject({
    method: 'POST',
    url: '/functions/v1/forgot-password',
    payload: { email },
  });
  const mail = firstServer.mails.findLast((sent) => sent.kind === 'reset_link' && sent.to === email);
  return firstServer.server.inject({
    method: 'POST',
    url: '/functions/v1/reset-password',
    payload: { token: mail?.kind === 'reset_link' && mail.token, password: `${testPassword}2` },
  });
};
const logOut = ({ headers }: Person): Promise<unknown> =>
  firstServer.server.inject({ method: 'POST', url: '/auth/v1/logout?scope=global', headers });
const deleteAccount = (person: Person): Promise<unknown> =>
  createAccountClient(firstServer).deleteAccount(person);

test.each([
  ['logging out', logOut],
  ['a reset password', resetPassword],
  ['deleting the account', deleteAccount],
])('promise 12: %s in one process ends access and sockets in the other', async (_what, end) => {
  const person = await firstServer.signIn();
  const { id } = await createConversationClient(firstServer).begin(person, friend);
  const sockets: RawSocket[] = [];
  for (const topic of [toUserTopic(person.userId), toConversationTopic(id)]) {
    const socket = await openRawSocket(getListeningPort(secondServer.server.server));
    expect(await socket.join(topic, { access_token: person.token })).toMatchObject({ status: 'ok' });
    sockets.push(socket);
  }
  expect(await getStatusFromSecondServer(person)).toBe(200);
  const ended = async () => {
    await end(person);
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008]);
    await expect.poll(() => getStatusFromSecondServer(person), { timeout: 5000 }).toBe(401);
  };
  await waitWithTimeout(5000, ended());
});

test('promise 12: a process that misses the announcement allows access for at most five seconds', async () => {
  const person = await firstServer.signIn();
  expect(await getStatusFromSecondServer(person)).toBe(200);
  // Delete the session directly in the database, so that no bus announcement reaches the second
  // server.
  await firstServer.sql`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  firstServer.clock.advance(5);
  expect(await getStatusFromSecondServer(person)).toBe(401);
});

test('an account deleted in one process gets 401 in the other before the announcement', async () => {
  const person = await firstServer.signIn();
  expect(await getStatusFromSecondServer(person)).toBe(200);
  // Simulates the moment between the commit of an account deletion and its bus announcement: the
  // second server still has the session cached.
  await firstServer.sql`DELETE FROM users WHERE id = ${person.userId}`;
  const form = { title: 'A draft of mine', status: 'draft', photos: [] };
  const save = await secondServer.server.inject({
    method: 'POST',
    url: '/functions/v1/create-listing',
    headers: person.headers,
    payload: form,
  });
  expect([save.statusCode, save.json().code]).toEqual([401, 'not_authenticated']);
  const { status } = await createAccountClient(secondServer).upload(person);
  expect(status).toBe(401);
});

test('the other party gets an event about their conversation from the other process', async () => {
  const deletedPerson = await firstServer.signIn();
  const conversations = createConversationClient(firstServer);
  const { id } = await conversations.begin(deletedPerson, friend);
  await conversations.send(deletedPerson, id, 'Hello');
  const socket = await openRawSocket(getListeningPort(secondServer.server.server));
  await socket.join(toUserTopic(friend.userId), { access_token: friend.token });
  await deleteAccount(deletedPerson);
  const [, , , , payload] = await socket.waitFor(([, , , event]) => event === 'unread');
  expect(payload).toMatchObject({ conversation_id: id });
  socket.webSocket.terminate();
});
