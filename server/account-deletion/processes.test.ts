import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversationTopic, userTopic } from '#contract/realtime.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { makeSecrets } from '#server/platform/secrets.ts';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTalk } from '#server/testing/conversations.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { openRaw, portOf, type RawSocket } from '#server/testing/raw-socket.ts';

const closers: (() => Promise<unknown>)[] = [];
/** One process serves the request that ends the access, the other holds it. */
let near: TestApp;
let far: TestApp;
let friend: Person;

beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(database.drop);
  const secrets = makeSecrets();
  const clock = createTestClock();
  const start = async () => {
    const sql = openDatabase(database.url, { max: 6 });
    closers.push(() => sql.end());
    const bus = await createPostgresBus(sql, silentLog);
    closers.push(bus.close);
    const server = await startTestApp({ deps: { sql, bus, secrets, clock } });
    closers.push(server.close);
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    return { ...server, sql, clock };
  };
  near = await start();
  far = await start();
  friend = await near.signIn();
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const statusAtFar = async (person: Person): Promise<number> => {
  const answer = await far.app.inject({ url: '/rest/v1/me', headers: person.headers });
  return answer.statusCode;
};

const reset = async ({ email }: Person): Promise<unknown> => {
  await near.app.inject({ method: 'POST', url: '/functions/v1/forgot-password', payload: { email } });
  const mail = near.mails.findLast((sent) => sent.kind === 'reset_link' && sent.to === email);
  return near.app.inject({
    method: 'POST',
    url: '/functions/v1/reset-password',
    payload: { token: mail?.kind === 'reset_link' && mail.token, password: `${testPassword}2` },
  });
};
const logOut = ({ headers }: Person): Promise<unknown> =>
  near.app.inject({ method: 'POST', url: '/auth/v1/logout?scope=global', headers });
const leave = (person: Person): Promise<unknown> => createDeletableAccounts(near).leave(person);

test.each([
  ['logging out', logOut],
  ['a reset password', reset],
  ['deleting the account', leave],
])('12. %s in one process ends calls and sockets in the other', async (_what, end) => {
  const person = await near.signIn();
  const { id } = await createTalk(near).begin(person, friend);
  const sockets: RawSocket[] = [];
  for (const topic of [userTopic(person.userId), conversationTopic(id)]) {
    const socket = await openRaw(portOf(far.app.server));
    expect(await socket.join(topic, { access_token: person.token })).toMatchObject({ status: 'ok' });
    sockets.push(socket);
  }
  expect(await statusAtFar(person)).toBe(200);
  const begun = performance.now();
  await end(person);
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008]);
  await expect.poll(() => statusAtFar(person)).toBe(401);
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('12. a process that hears of nothing lets nobody in for longer than five seconds', async () => {
  const person = await near.signIn();
  expect(await statusAtFar(person)).toBe(200);
  // What the bus would have brought is kept from it.
  await near.sql`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  near.clock.advance(5);
  expect(await statusAtFar(person)).toBe(401);
});

test('an account deleted in one process meanwhile is no error in the other', async () => {
  const person = await near.signIn();
  expect(await statusAtFar(person)).toBe(200);
  // As between the commit and the announcement: the other process still believes in the session.
  await near.sql`DELETE FROM users WHERE id = ${person.userId}`;
  const form = { title: 'A draft of mine', status: 'draft', photos: [] };
  const save = await far.app.inject({
    method: 'POST',
    url: '/functions/v1/create-listing',
    headers: person.headers,
    payload: form,
  });
  expect([save.statusCode, save.json().code]).toEqual([401, 'not_authenticated']);
  const { status } = await createDeletableAccounts(far).upload(person);
  expect(status).toBe(401);
});

test('the other party’s screen is made to look again', async () => {
  const leaver = await near.signIn();
  const talk = createTalk(near);
  const { id } = await talk.begin(leaver, friend);
  await talk.send(leaver, id, 'Hello');
  const socket = await openRaw(portOf(far.app.server));
  await socket.join(userTopic(friend.userId), { access_token: friend.token });
  await leave(leaver);
  const [, , , , payload] = await socket.hear(([, , , event]) => event === 'unread');
  expect(payload).toMatchObject({ conversation_id: id });
  socket.wire.terminate();
});
