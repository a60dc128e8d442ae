import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Socket } from 'phoenix';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { conversationTopic, maxFrameBytes, userTopic } from '#contract/realtime.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTalk } from '#server/testing/conversations.ts';
import { openRaw, portOf, socketUrl, upgradeStatus } from '#server/testing/raw-socket.ts';

let server: TestApp;
let talk: ReturnType<typeof createTalk>;
let port: number;
let seller: Person;
let buyer: Person;
let stranger: Person;
const clients: Socket[] = [];

beforeAll(async () => {
  server = await startTestApp();
  talk = createTalk(server);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(server.app.server);
  [seller, buyer, stranger] = [await server.signIn(), await server.signIn(), await server.signIn()];
});
afterEach(async () => {
  const leaving = clients.splice(0).map((client) => new Promise<void>((done) => client.disconnect(done)));
  await Promise.all(leaving);
});
afterAll(() => server.close());

/** The client the browser uses, as it comes. */
const connect = () => {
  const client = new Socket(`ws://127.0.0.1:${port}/realtime/v1`, {
    transport: WebSocket,
    reconnectAfterMs: () => 10,
    rejoinAfterMs: () => 10,
  });
  clients.push(client);
  client.connect();
  return client;
};

/** Joins as a person and gathers what arrives of one event. */
const listen = async <Payload>(
  client: Socket,
  person: Person,
  [topic, event]: [string, string],
  afterSeq?: (heard: Payload[]) => number,
) => {
  const heard: Payload[] = [];
  const channel = client.channel(topic, () => ({
    access_token: person.token,
    ...(afterSeq ? { after_seq: afterSeq(heard) } : {}),
  }));
  channel.on(event, (payload: Payload) => void heard.push(payload));
  await new Promise((done, refused) => {
    channel.join().receive('ok', done).receive('error', refused);
  });
  return { channel, heard };
};

test('a message arrives live, exactly as the sender was answered, and is counted as unread', async () => {
  const { id } = await talk.begin(buyer, seller);
  const client = connect();
  const messages = await listen<Message>(client, seller, [conversationTopic(id), 'message']);
  const unread = await listen<object>(client, seller, [userTopic(seller.userId), 'unread']);
  const sent = await talk.send(buyer, id, 'Is it <b>still</b> there? \u202e🪑');
  await expect.poll(() => messages.heard).toEqual([sent.body]);
  await expect
    .poll(() => unread.heard)
    .toEqual([{ conversation_id: id, unread_count: 1, unread_total: expect.any(Number) }]);
});

test('promise 27: the same text three times at once arrives three times', async () => {
  const { id } = await talk.begin(buyer, seller);
  const { heard } = await listen<Message>(connect(), seller, [conversationTopic(id), 'message']);
  await Promise.all([1, 2, 3].map(() => talk.send(buyer, id, 'Hello?')));
  await expect.poll(() => heard.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(new Set(heard.map((message) => message.client_id)).size).toBe(3);
});

test('promise 26: a repeated send is delivered once', async () => {
  const { id } = await talk.begin(buyer, seller);
  const { heard } = await listen<Message>(connect(), seller, [conversationTopic(id), 'message']);
  const name = randomUUID();
  await Promise.all(Array.from({ length: 20 }, () => talk.send(buyer, id, 'Once', name)));
  await talk.send(buyer, id, 'The end');
  await expect.poll(() => heard.map((message) => message.message_text)).toEqual(['Once', 'The end']);
});

test('promise 29: five hundred messages while away all appear once, in order', async () => {
  const { id } = await talk.begin(buyer, seller);
  const client = connect();
  const newest = (heard: Message[]) => heard.at(-1)?.seq ?? 0;
  const { heard } = await listen<Message>(client, seller, [conversationTopic(id), 'message'], newest);
  await talk.send(buyer, id, 'Before');
  await expect.poll(() => heard.length).toBe(1);
  await new Promise<void>((done) => client.disconnect(done));
  for (let sent = 0; sent < 500; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => talk.send(buyer, id, `While away ${sent + n}`)));
  }
  client.connect();
  // The last ones are written while the others are being caught up with.
  await Promise.all(Array.from({ length: 20 }, () => talk.send(buyer, id, 'Back')));
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(521);
  expect(heard.map(({ seq }) => seq)).toEqual(Array.from({ length: 521 }, (_, index) => index + 1));
});

test('promise 17: another’s topic, one of nobody and one of no kind answer alike', async () => {
  const { id } = await talk.begin(buyer, seller);
  const socket = await openRaw(port);
  const topics = [
    conversationTopic(id),
    conversationTopic(randomUUID()),
    conversationTopic('no-id'),
    userTopic(buyer.userId),
    userTopic(randomUUID()),
    'anything',
  ];
  for (const topic of topics) {
    const reply = await socket.join(topic, { access_token: stranger.token, after_seq: 0 });
    expect(reply).toEqual({ status: 'error', response: { reason: 'not_found' } });
  }
  for (const access_token of ['', 'nonsense', `${stranger.token}x`]) {
    expect(await socket.join(conversationTopic(id), { access_token })).toEqual({
      status: 'error',
      response: { reason: 'not_authenticated' },
    });
  }
  for (const payload of [{}, { access_token: 5 }, { access_token: stranger.token, after_seq: -1 }]) {
    expect(await socket.join(conversationTopic(id), payload)).toMatchObject({ status: 'error' });
  }
  socket.wire.terminate();
});

test('promise 12: logging out closes the sockets of that session, and of no other', async () => {
  const person = await server.signIn();
  const [gone, kept] = [await openRaw(port), await openRaw(port)];
  await gone.join(userTopic(person.userId), { access_token: person.token });
  await kept.join(userTopic(buyer.userId), { access_token: buyer.token });
  await server.app.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers: person.headers });
  expect(await gone.closed).toBe(1008);
  await kept.heartbeat();
  const again = await openRaw(port);
  const reply = await again.join(userTopic(person.userId), { access_token: person.token });
  expect(reply).toMatchObject({ status: 'error', response: { reason: 'not_authenticated' } });
  for (const { wire } of [kept, again]) wire.terminate();
});

test('promise 12: a session that ended unannounced closes its sockets at the next look into the database', async () => {
  const person = await server.signIn();
  const socket = await openRaw(port);
  await socket.join(userTopic(person.userId), { access_token: person.token });
  await server.sql`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  server.clock.advance(10);
  expect(await socket.closed).toBe(1008);
});

test('promise 7: replaying an old refresh token closes the sockets of its session', async () => {
  const person = await server.signIn();
  const refresh = () =>
    server.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    });
  const socket = await openRaw(port);
  await socket.join(userTopic(person.userId), { access_token: person.token });
  expect((await refresh()).statusCode).toBe(200);
  server.clock.advance(11);
  expect((await refresh()).statusCode).toBe(400);
  expect(await socket.closed).toBe(1008);
});

test('promise 35: pages of other origins get no socket, nor does another path or version', async () => {
  expect(await upgradeStatus(socketUrl(port))).toBe(101);
  expect(await upgradeStatus(socketUrl(port), 'http://quad.test')).toBe(101);
  for (const origin of ['http://evil.example', 'https://quad.test.evil.example', 'null']) {
    expect(await upgradeStatus(socketUrl(port), origin)).toBe(403);
  }
  expect(await upgradeStatus(socketUrl(port, 'vsn=1.0.0'))).toBe(400);
  expect(await upgradeStatus(socketUrl(port, ''))).toBe(400);
  expect(await upgradeStatus(`ws://127.0.0.1:${port}/realtime/v1/other?vsn=2.0.0`)).toBe(404);
  expect(await upgradeStatus(`ws://127.0.0.1:${port}/`)).not.toBe(101);
});

test('a request that would rather speak another protocol is served as it came', async () => {
  const asked = get({ port, path: '/healthz', headers: { connection: 'Upgrade', upgrade: 'h2c' } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
});

test.each<[string, string | Buffer, number]>([
  ['no JSON', '{', 1003],
  ['no frame', '{}', 1003],
  ['a frame of four', '["1","1","phoenix","heartbeat"]', 1003],
  ['a frame of six', '["1","1","phoenix","heartbeat",{},{}]', 1003],
  ['numbers for names', '[1,1,1,1,{}]', 1003],
  ['an endless topic', JSON.stringify(['1', '1', 'x'.repeat(1000), 'phx_join', {}]), 1003],
  ['bytes', Buffer.from([1, 2, 3]), 1003],
  ['a frame too large', JSON.stringify(['1', '1', 'x', 'phx_join', 'x'.repeat(maxFrameBytes)]), 1009],
])('promise 36: %s ends that socket and nothing else', async (_what, frame, code) => {
  const [rude, polite] = [await openRaw(port), await openRaw(port)];
  rude.wire.send(frame);
  expect(await rude.closed).toBe(code);
  await polite.heartbeat();
  polite.wire.terminate();
});

test('frames that mean nothing here are answered', async () => {
  const socket = await openRaw(port);
  for (const [topic, event] of [
    ['phoenix', 'dance'],
    [userTopic(buyer.userId), 'access_token'],
    ['__proto__', 'message'],
  ]) {
    socket.say(['1', event, topic, event, null]);
    const reply = await socket.hear(([, ref]) => ref === event);
    expect(reply).toEqual(['1', event, topic, 'phx_reply', expect.objectContaining({ status: 'error' })]);
  }
  socket.wire.terminate();
});

test('promise 41: the application closes at once, open sockets included', async () => {
  const closing = await startTestApp();
  await closing.app.listen({ port: 0, host: '127.0.0.1' });
  const person = await closing.signIn();
  const socket = await openRaw(portOf(closing.app.server));
  await socket.join(userTopic(person.userId), { access_token: person.token });
  await closing.close();
  expect(await socket.closed).toBe(1001);
});
