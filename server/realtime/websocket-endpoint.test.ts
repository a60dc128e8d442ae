import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Socket } from 'phoenix';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { maxFrameBytes, toConversationTopic, toUserTopic } from '#contract/realtime.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import {
  createWebSocketUrl,
  getListeningPort,
  openRawSocket,
  requestUpgrade,
} from '#server/testing/raw-socket.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let port: number;
let seller: Person;
let buyer: Person;
let stranger: Person;
const clients: Socket[] = [];

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  port = getListeningPort(testApp.server.server);
  [seller, buyer, stranger] = [await testApp.signIn(), await testApp.signIn(), await testApp.signIn()];
});
afterEach(async () => {
  const disconnected = clients
    .splice(0)
    .map((client) => new Promise<void>((done) => client.disconnect(done)));
  await Promise.all(disconnected);
});
afterAll(() => testApp.close());

/** Connects the unmodified client library that the browser uses. */
const connectClient = () => {
  const client = new Socket(`ws://127.0.0.1:${port}/realtime/v1`, {
    transport: WebSocket,
    reconnectAfterMs: () => 10,
    rejoinAfterMs: () => 10,
  });
  clients.push(client);
  client.connect();
  return client;
};

/** Joins a topic as a person and collects the payloads of one event. */
const joinAndCollect = async <Payload>(
  client: Socket,
  person: Person,
  [topic, event]: [string, string],
  afterSeq?: (received: Payload[]) => number,
) => {
  const received: Payload[] = [];
  const channel = client.channel(topic, () => ({
    access_token: person.token,
    ...(afterSeq ? { after_seq: afterSeq(received) } : {}),
  }));
  channel.on(event, (payload: Payload) => void received.push(payload));
  await new Promise((done, refused) => {
    channel.join().receive('ok', done).receive('error', refused);
  });
  return { channel, received };
};

test('delivers a message live, identical to the sender’s response, and counts it as unread', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const client = connectClient();
  const messages = await joinAndCollect<Message>(client, seller, [toConversationTopic(id), 'message']);
  const unread = await joinAndCollect<object>(client, seller, [toUserTopic(seller.userId), 'unread']);
  const sent = await conversationClient.send(buyer, id, 'Is it <b>still</b> there? \u202e🪑');
  await expect.poll(() => messages.received).toEqual([sent.body]);
  await expect
    .poll(() => unread.received)
    .toEqual([{ conversation_id: id, unread_count: 1, unread_total: expect.any(Number) }]);
});

test('promise 27: delivers the same text three times when it is sent three times concurrently', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const { received } = await joinAndCollect<Message>(connectClient(), seller, [
    toConversationTopic(id),
    'message',
  ]);
  await Promise.all([1, 2, 3].map(() => conversationClient.send(buyer, id, 'Hello?')));
  await expect.poll(() => received.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(new Set(received.map((message) => message.client_id)).size).toBe(3);
});

test('promise 26: delivers a repeated send once', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const { received } = await joinAndCollect<Message>(connectClient(), seller, [
    toConversationTopic(id),
    'message',
  ]);
  const name = randomUUID();
  await Promise.all(Array.from({ length: 20 }, () => conversationClient.send(buyer, id, 'Once', name)));
  await conversationClient.send(buyer, id, 'The end');
  await expect.poll(() => received.map((message) => message.message_text)).toEqual(['Once', 'The end']);
});

test('promise 29: delivers five hundred messages missed while offline once and in order', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const client = connectClient();
  const newest = (received: Message[]) => received.at(-1)?.seq ?? 0;
  const { received } = await joinAndCollect<Message>(
    client,
    seller,
    [toConversationTopic(id), 'message'],
    newest,
  );
  await conversationClient.send(buyer, id, 'Before');
  await expect.poll(() => received.length).toBe(1);
  await new Promise<void>((done) => client.disconnect(done));
  for (let sent = 0; sent < 500; sent += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => conversationClient.send(buyer, id, `While away ${sent + n}`)),
    );
  }
  client.connect();
  // Send the last messages while the client is still catching up.
  await Promise.all(Array.from({ length: 20 }, () => conversationClient.send(buyer, id, 'Back')));
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(521);
  expect(received.map(({ seq }) => seq)).toEqual(Array.from({ length: 521 }, (_, index) => index + 1));
});

test("promise 17: other people's topics, missing topics and invalid topics get the same reply", async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const socket = await openRawSocket(port);
  const topics = [
    toConversationTopic(id),
    toConversationTopic(randomUUID()),
    toConversationTopic('no-id'),
    toUserTopic(buyer.userId),
    toUserTopic(randomUUID()),
    'anything',
  ];
  for (const topic of topics) {
    const reply = await socket.join(topic, { access_token: stranger.token, after_seq: 0 });
    expect(reply).toEqual({ status: 'error', response: { reason: 'not_found' } });
  }
  for (const access_token of ['', 'nonsense', `${stranger.token}x`]) {
    expect(await socket.join(toConversationTopic(id), { access_token })).toEqual({
      status: 'error',
      response: { reason: 'not_authenticated' },
    });
  }
  for (const payload of [{}, { access_token: 5 }, { access_token: stranger.token, after_seq: -1 }]) {
    expect(await socket.join(toConversationTopic(id), payload)).toMatchObject({ status: 'error' });
  }
  socket.webSocket.terminate();
});

test('promise 12: logging out closes the sockets of that session only', async () => {
  const person = await testApp.signIn();
  const [closing, staying] = [await openRawSocket(port), await openRawSocket(port)];
  await closing.join(toUserTopic(person.userId), { access_token: person.token });
  await staying.join(toUserTopic(buyer.userId), { access_token: buyer.token });
  await testApp.server.inject({
    method: 'POST',
    url: '/auth/v1/logout?scope=local',
    headers: person.headers,
  });
  expect(await closing.closed).toBe(1008);
  await staying.heartbeat();
  const again = await openRawSocket(port);
  const reply = await again.join(toUserTopic(person.userId), { access_token: person.token });
  expect(reply).toMatchObject({ status: 'error', response: { reason: 'not_authenticated' } });
  for (const { webSocket } of [staying, again]) webSocket.terminate();
});

test('promise 12: an unannounced session end closes its sockets at the next database check', async () => {
  const person = await testApp.signIn();
  const socket = await openRawSocket(port);
  await socket.join(toUserTopic(person.userId), { access_token: person.token });
  await testApp.sql`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  testApp.clock.advance(10);
  expect(await socket.closed).toBe(1008);
});

test('promise 7: replaying an old refresh token closes the sockets of its session', async () => {
  const person = await testApp.signIn();
  const refresh = () =>
    testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: person.refreshToken },
    });
  const socket = await openRawSocket(port);
  await socket.join(toUserTopic(person.userId), { access_token: person.token });
  expect((await refresh()).statusCode).toBe(200);
  testApp.clock.advance(11);
  expect((await refresh()).statusCode).toBe(400);
  expect(await socket.closed).toBe(1008);
});

test('promise 35: refuses sockets for other origins, paths and protocol versions', async () => {
  expect(await requestUpgrade(createWebSocketUrl(port))).toBe(101);
  expect(await requestUpgrade(createWebSocketUrl(port), 'http://quad.test')).toBe(101);
  for (const origin of ['http://evil.example', 'https://quad.test.evil.example', 'null']) {
    expect(await requestUpgrade(createWebSocketUrl(port), origin)).toBe(403);
  }
  expect(await requestUpgrade(createWebSocketUrl(port, 'vsn=1.0.0'))).toBe(400);
  expect(await requestUpgrade(createWebSocketUrl(port, ''))).toBe(400);
  expect(await requestUpgrade(`ws://127.0.0.1:${port}/realtime/v1/other?vsn=2.0.0`)).toBe(404);
  expect(await requestUpgrade(`ws://127.0.0.1:${port}/`)).not.toBe(101);
});

test('serves a request to upgrade to another protocol as an ordinary request', async () => {
  const request = get({ port, path: '/healthz', headers: { connection: 'Upgrade', upgrade: 'h2c' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.resume();
});

test.each<[string, string | Buffer, number]>([
  ['invalid JSON', '{', 1003],
  ['JSON that is not a frame', '{}', 1003],
  ['a frame with four elements', '["1","1","phoenix","heartbeat"]', 1003],
  ['a frame with six elements', '["1","1","phoenix","heartbeat",{},{}]', 1003],
  ['numbers instead of names', '[1,1,1,1,{}]', 1003],
  ['a topic that is too long', JSON.stringify(['1', '1', 'x'.repeat(1000), 'phx_join', {}]), 1003],
  ['a binary frame', Buffer.from([1, 2, 3]), 1003],
  ['a frame that is too large', JSON.stringify(['1', '1', 'x', 'phx_join', 'x'.repeat(maxFrameBytes)]), 1009],
])('promise 36: %s closes only the socket that sent it', async (_what, frame, code) => {
  const [malformed, wellBehaved] = [await openRawSocket(port), await openRawSocket(port)];
  malformed.webSocket.send(frame);
  expect(await malformed.closed).toBe(code);
  await wellBehaved.heartbeat();
  wellBehaved.webSocket.terminate();
});

test('replies to unknown frames with an error', async () => {
  const socket = await openRawSocket(port);
  for (const [topic, event] of [
    ['phoenix', 'dance'],
    [toUserTopic(buyer.userId), 'access_token'],
    ['__proto__', 'message'],
  ]) {
    socket.send(['1', event, topic, event, null]);
    const reply = await socket.waitFor(([, ref]) => ref === event);
    expect(reply).toEqual(['1', event, topic, 'phx_reply', expect.objectContaining({ status: 'error' })]);
  }
  socket.webSocket.terminate();
});

test('promise 41: closing the application closes open sockets instead of waiting for them', async () => {
  const closing = await startTestApp();
  await closing.server.listen({ port: 0, host: '127.0.0.1' });
  const person = await closing.signIn();
  const socket = await openRawSocket(getListeningPort(closing.server.server));
  await socket.join(toUserTopic(person.userId), { access_token: person.token });
  await closing.close();
  expect(await socket.closed).toBe(1001);
});
