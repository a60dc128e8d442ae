import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { createDealEventLine } from '#contract/testing.ts';
import { unsendMessage } from '#server/features/conversations/public.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';
import { createWebSocketUrl, type RawSocket, requestUpgrade } from '#server/testing/raw-socket.ts';
import { listNumbersUpTo, listReceivedSeqs, startRealtimeServer } from '#server/testing/realtime-server.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
beforeEach(async () => {
  server = await startRealtimeServer();
});
afterEach(() => server.stop());

// The realtime service does not subscribe to this bus, so messages that are published on it are lost.
const busWithoutListeners = createInProcessBus();

test('closes a socket that joins nothing within five seconds', async () => {
  const idle = await server.open();
  const busy = await server.listen();
  await idle.join('user:nobody', { access_token: 'nobody' });
  server.clock.advance(4.9);
  await server.realtime.sweep();
  await idle.heartbeat();
  server.clock.advance(0.1);
  await server.realtime.sweep();
  expect(await idle.closed).toBe(1008);
  await busy.heartbeat();
  expect(server.realtime.size()).toBe(1);
});

test('keeps a socket open while its join takes longer than five seconds', async () => {
  const { buyer, topic, faults } = server;
  const socket = await server.open();
  let finishAuthentication = () => {};
  faults.onAuthenticate = () =>
    new Promise((done) => {
      finishAuthentication = done;
    });
  const joining = socket.join(topic, { access_token: buyer });
  const again = socket.join(`user:${buyer}`, { access_token: buyer });
  await expect.poll(() => server.presentedTokens).toEqual([buyer]);
  server.clock.advance(20);
  await server.realtime.sweep();
  finishAuthentication();
  // Both joins succeed, although the token that both contain was verified only once.
  for (const reply of [await joining, await again]) expect(reply).toMatchObject({ status: 'ok' });
  expect(server.presentedTokens).toEqual([buyer]);
});

test('closes a socket that sends nothing for more than fifty seconds, but keeps one that sends heartbeats', async () => {
  const silent = await server.listen();
  const alive = await server.listen();
  server.clock.advance(50);
  await alive.heartbeat();
  await server.realtime.sweep();
  expect(server.realtime.size()).toBe(2);
  server.clock.advance(1);
  await server.realtime.sweep();
  expect(await silent.closed).toBe(1006);
  await alive.heartbeat();
});

test('ends a channel when its access token expires, unless the token is renewed', async () => {
  const { buyer, seller, topic } = server;
  const expiring = await server.listen({ access_token: `${buyer}/old` });
  const renewed = await server.listen({ access_token: `${buyer}/old` });
  renewed.send(['1', 'r', topic, 'access_token', { access_token: `${seller}/new` }]);
  expect((await renewed.waitFor(([, ref]) => ref === 'r'))[4]).toMatchObject({ status: 'error' });
  renewed.send(['1', 's', topic, 'access_token', { access_token: `${buyer}/new` }]);
  expect((await renewed.waitFor(([, ref]) => ref === 's'))[4]).toMatchObject({ status: 'ok' });
  server.clock.advance(30);
  await server.realtime.sweep();
  await expiring.waitFor(([, , , event]) => event === 'phx_error');
  await server.send('after the end');
  await server.expectAllReceived(renewed, 1);
  await expiring.heartbeat();
  expect(listReceivedSeqs(expiring)).toEqual([]);
  // Joining again with a new token delivers the message that the socket missed.
  await expiring.join(topic, { access_token: `${buyer}/new`, after_seq: 0 });
  await server.expectAllReceived(expiring, 1);
});

test('delivers messages once and in order when announcements are repeated, late or missing', async () => {
  const socket = await server.listen();
  await server.send('not announced', busWithoutListeners);
  for (const seq of [2, 1, 2]) {
    await server.bus.publish({ kind: 'message', conversation_id: server.conversation, seq });
  }
  await server.expectAllReceived(socket, 1);
  await server.send('announced');
  await server.expectAllReceived(socket, 2);
  await server.send('not announced either', busWithoutListeners);
  server.clock.advance(10);
  await server.realtime.sweep();
  await server.expectAllReceived(socket, 3);
});

const listUnsent = ({ frames }: RawSocket) =>
  frames.flatMap(([, , , event, message]) =>
    event === 'unsent' ? [[(message as Message).seq, (message as Message).unsent_number]] : [],
  );

test('promise 99: each listener receives every unsent message once, in order, also after a lost announcement', async () => {
  const { app, conversation: id, seller: userId } = server;
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.push((await server.send(text)).id);
  const unsend = (index: number, bus: Bus = server.bus) =>
    unsendMessage({ ...app, bus }, { id, userId, messageId: ids[index] ?? '' });
  const early = await server.listen({ after_seq: 3, after_unsent: 0 });
  const [first] = [await unsend(2)];
  await expect.poll(() => listUnsent(early)).toEqual([[3, 1]]);
  expect(early.frames.at(-1)).toEqual([expect.anything(), null, server.topic, 'unsent', first]);
  await unsend(0, busWithoutListeners);
  // Clients of earlier versions do not say what they know.
  const old = await server.listen({ after_seq: 3 });
  const late = await server.listen({ after_seq: 2, after_unsent: 0 });
  await expect
    .poll(() => listUnsent(late))
    .toEqual([
      [3, 1],
      [1, 2],
    ]);
  server.clock.advance(10);
  await server.realtime.sweep();
  await unsend(0);
  await unsend(1);
  const all = [
    [3, 1],
    [1, 2],
    [2, 3],
  ];
  await expect.poll(() => listUnsent(early)).toEqual(all);
  await expect.poll(() => listUnsent(late)).toEqual(all);
  await expect.poll(() => listUnsent(old)).toEqual([[2, 3]]);
  await server.realtime.settled();
  for (const socket of [early, late]) expect(listUnsent(socket)).toEqual(all);
});

test.each([-2, 2])(
  'keeps delivering and closes no socket when the clock changes by %i hours',
  async (hours) => {
    const socket = await server.listen();
    const { clock } = server;
    const correctTime = clock.now();
    clock.set(new Date(correctTime.getTime() + hours * 3_600_000));
    clock.advance(11);
    // With the clock two hours ahead, the access token has expired, which ends deliveries until the client
    // rejoins. So check the delivery only with the clock two hours behind.
    if (hours < 0) await server.store(1);
    await server.realtime.sweep();
    if (hours < 0) await server.expectAllReceived(socket, 1);
    await socket.heartbeat();
    expect(socket.webSocket.readyState).toBe(socket.webSocket.OPEN);
    clock.set(correctTime);
  },
);

test('promise 38: makes every client rejoin after announcements may have been missed', async () => {
  const { buyer, topic } = server;
  const socket = await server.listen();
  await socket.join(`user:${buyer}`, { access_token: buyer });
  server.faults.notifyGap();
  for (const lost of [topic, `user:${buyer}`]) {
    await socket.waitFor(([, , topicName, event]) => topicName === lost && event === 'phx_error');
  }
  expect(await socket.join(topic, { access_token: buyer })).toMatchObject({ status: 'ok' });
});

test('promise 38: once the database responds again, delivers the messages that could not be read before', async () => {
  const { realtime, faults } = server;
  const socket = await server.listen();
  faults.unreadable = true;
  await server.send('unread');
  await realtime.settled();
  await realtime.sweep();
  await realtime.settled();
  expect(listReceivedSeqs(socket)).toEqual([]);
  faults.unreadable = false;
  await realtime.sweep();
  await server.expectAllReceived(socket, 1);
});

test('promise 12: detects an unannounced session end within seconds while the bus is disconnected', async () => {
  const { buyer, seller, faults } = server;
  const [closing, staying] = [await server.listen(), await server.listen({ access_token: seller })];
  faults.disconnected = true;
  faults.ended.add(buyer);
  server.clock.advance(2);
  await server.realtime.sweep();
  expect(await closing.closed).toBe(1008);
  await staying.heartbeat();
});

test('starts delivery at the requested sequence number for sockets that join during delivery', async () => {
  await server.store(120);
  const starts = [120, 0, 60, 119];
  const joining = starts.map((after_seq) => server.listen({ after_seq }));
  await Promise.all(listNumbersUpTo(30).map((n) => server.send(`message ${n}`)));
  const sockets = await Promise.all(joining);
  await server.realtime.settled();
  for (const [index, socket] of sockets.entries()) {
    await socket.heartbeat();
    expect(listReceivedSeqs(socket)).toEqual(listNumbersUpTo(150).slice(starts[index]));
  }
});

const listenWithoutReading = async () => {
  const socket = await server.listen();
  socket.webSocket.pause();
  await server.store(4000, 'ü'.repeat(2000));
  await server.bus.publish({ kind: 'message', conversation_id: server.conversation, seq: 4000 });
  await Promise.resolve();
  await server.realtime.settled();
  return socket;
};

test('pauses delivery to a slow reader without delaying others and continues later', async () => {
  const paused = await listenWithoutReading();
  const other = await server.listen({ after_seq: 0 });
  await server.expectAllReceived(other, 4000);
  expect(listReceivedSeqs(paused).length).toBeLessThan(4000);
  paused.webSocket.resume();
  await server.expectAllReceived(paused, 4000);
});

test('closes a socket that never resumes reading, even when it sends frames', async () => {
  const { realtime, clock } = server;
  const paused = await listenWithoutReading();
  await realtime.sweep();
  clock.advance(40);
  paused.send(['1', '2', server.topic, 'access_token', { access_token: 'alive' }]);
  await expect.poll(() => server.presentedTokens.at(-1)).toBe('alive');
  await realtime.sweep();
  expect(realtime.size()).toBe(1);
  clock.advance(11);
  await realtime.sweep();
  await expect.poll(() => realtime.size()).toBe(0);
});

test('promise 12: refuses a join whose session ends meanwhile', async () => {
  const { bus, buyer, topic } = server;
  const socket = await server.open();
  server.faults.onAuthenticate = () =>
    bus.publish({ kind: 'sessions_ended', user_id: buyer, session_ids: [buyer] });
  const reply = await socket.join(topic, { access_token: buyer, after_seq: 0 });
  expect(reply).toMatchObject({ status: 'error', response: { reason: 'not_authenticated' } });
});

test('returns the unread count with the join and sends no earlier counts afterwards', async () => {
  const { buyer, faults } = server;
  await server.store(3);
  const socket = await server.open();
  const joining = socket.join(`user:${buyer}`, { access_token: buyer });
  expect(await joining).toEqual({ status: 'ok', response: { unread_total: 3 } });
  await server.send('the fourth');
  await socket.waitFor(([, , , event]) => event === 'unread');
  // An event that is published while a join is being processed is sent after the reply to the join.
  faults.onCount = async () => {
    await server.send('in between');
    await server.realtime.settled();
  };
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toMatchObject({ status: 'ok' });
  await socket.heartbeat();
  const received = socket.frames.flatMap(([joinRef, , , event, payload]) =>
    joinRef === '2' && event !== 'phx_close' ? [[event, payload]] : [],
  );
  expect(received).toEqual([
    ['phx_reply', { status: 'ok', response: { unread_total: 5 } }],
    ['unread', { conversation_id: server.conversation, unread_count: 5, unread_total: 5 }],
  ]);
});

test('refuses a join and removes its listener when the unread count fails or arrives too late', async () => {
  const { buyer, faults } = server;
  const socket = await server.listen();
  const refused = { status: 'error', response: { reason: 'unavailable' } };
  faults.onCount = async () => {
    throw new Error('The database does not answer');
  };
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toEqual(refused);
  faults.onCount = async () => faults.notifyGap();
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toEqual(refused);
  faults.onCount = async () => {};
  await server.send('not delivered');
  await server.realtime.settled();
  await socket.heartbeat();
  expect(socket.frames.filter(([, , , event]) => event === 'unread')).toEqual([]);
});

test('sends unread counts to both parties', async () => {
  const { buyer, seller, conversation } = server;
  const [buyerSocket, sellerSocket] = [await server.open(), await server.open()];
  await buyerSocket.join(`user:${buyer}`, { access_token: buyer });
  await sellerSocket.join(`user:${seller}`, { access_token: seller });
  await server.send('one');
  const unread = await buyerSocket.waitFor(([, , , event]) => event === 'unread');
  expect(unread[4]).toEqual({ conversation_id: conversation, unread_count: 1, unread_total: 1 });
  expect((await sellerSocket.waitFor(([, , , event]) => event === 'unread'))[4]).toMatchObject({
    unread_total: 0,
  });
  await server.markRead(1);
  await buyerSocket.waitFor(([, , , , payload]) => (payload as { unread_total?: number }).unread_total === 0);
});

test('delivers an event line with kind and data, and counts it as unread for everybody except its actor', async () => {
  const { buyer, seller, conversation } = server;
  const socket = await server.listen();
  const [inboxOfBuyer, inboxOfSeller] = [await server.open(), await server.open()];
  await inboxOfBuyer.join(`user:${buyer}`, { access_token: buyer });
  await inboxOfSeller.join(`user:${seller}`, { access_token: seller });
  const line = await appendEventLine(
    { ...server, mails: [] },
    { conversationId: conversation, actorId: seller, messageText: 'As agreed' },
    server.bus,
  );
  await server.expectAllReceived(socket, 2);
  const messages = socket.frames.filter(([, , , event]) => event === 'message').map(([, , , , it]) => it);
  expect(messages).toMatchObject([line, { seq: 2, kind: 'text', data: null }]);
  expect(line).toMatchObject({ kind: 'deal', data: createDealEventLine() });
  const getUnread = async (socket: RawSocket) =>
    (await socket.waitFor(([, , , event]) => event === 'unread'))[4];
  expect(await getUnread(inboxOfBuyer)).toMatchObject({ unread_count: 2, unread_total: 2 });
  expect(await getUnread(inboxOfSeller)).toMatchObject({ unread_count: 0, unread_total: 0 });
});

test('closes the earlier channel when a topic is joined again; leaving ends delivery', async () => {
  const { buyer, topic } = server;
  const socket = await server.listen();
  await socket.join(topic, { access_token: buyer });
  expect((await socket.waitFor(([, , , event]) => event === 'phx_close'))[0]).toBe('1');
  await server.send('once');
  await server.expectAllReceived(socket, 1);
  socket.send(['2', '9', topic, 'phx_leave', {}]);
  await socket.waitFor(([joinRef, , , event]) => joinRef === '2' && event === 'phx_close');
  await server.send('after leaving');
  await server.realtime.settled();
  await socket.heartbeat();
  expect(listReceivedSeqs(socket)).toEqual([1]);
});

test('promise 41: closes every socket with 1001 and accepts no new one on shutdown', async () => {
  const sockets = await Promise.all([server.listen(), server.listen(), server.open()]);
  const closing = server.realtime.close();
  expect(await requestUpgrade(createWebSocketUrl(server.port))).toBe(503);
  await closing;
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001, 1001]);
});
