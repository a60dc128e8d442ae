import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { socketUrl, upgradeStatus } from '#server/testing/raw-socket.ts';
import { seqsOf, startRealtimeServer, upTo } from '#server/testing/realtime-server.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
beforeEach(async () => {
  server = await startRealtimeServer();
});
afterEach(() => server.stop());

// What is announced here reaches nobody.
const mute = createProcessBus();

test('a socket that joins nothing within five seconds is closed', async () => {
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

test('a join that takes longer than that is waited for', async () => {
  const { buyer, topic, faults } = server;
  const socket = await server.open();
  let goOn = () => {};
  faults.onAuthenticate = () =>
    new Promise((done) => {
      goOn = done;
    });
  const joining = socket.join(topic, { access_token: buyer });
  const again = socket.join(`user:${buyer}`, { access_token: buyer });
  await expect.poll(() => server.presented).toEqual([buyer]);
  server.clock.advance(20);
  await server.realtime.sweep();
  goOn();
  // One token for several topics is looked at once.
  for (const reply of [await joining, await again]) expect(reply).toMatchObject({ status: 'ok' });
  expect(server.presented).toEqual([buyer]);
});

test('a socket silent for more than fifty seconds is cut off; a beating one stays', async () => {
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

test('a channel ends with its access token, unless it is renewed', async () => {
  const { buyer, seller, topic } = server;
  const ending = await server.listen({ access_token: `${buyer}/old` });
  const renewed = await server.listen({ access_token: `${buyer}/old` });
  renewed.say(['1', 'r', topic, 'access_token', { access_token: `${seller}/new` }]);
  expect((await renewed.hear(([, ref]) => ref === 'r'))[4]).toMatchObject({ status: 'error' });
  renewed.say(['1', 's', topic, 'access_token', { access_token: `${buyer}/new` }]);
  expect((await renewed.hear(([, ref]) => ref === 's'))[4]).toMatchObject({ status: 'ok' });
  server.clock.advance(30);
  await server.realtime.sweep();
  await ending.hear(([, , , event]) => event === 'phx_error');
  await server.send('after the end');
  await server.heardAll(renewed, 1);
  await ending.heartbeat();
  expect(seqsOf(ending)).toEqual([]);
  // What was missed meanwhile comes with the next join.
  await ending.join(topic, { access_token: `${buyer}/new`, after_seq: 0 });
  await server.heardAll(ending, 1);
});

test('what is announced twice, late, or by nobody arrives once and in order', async () => {
  const socket = await server.listen();
  await server.send('announced to nobody', mute);
  for (const seq of [2, 1, 2]) {
    await server.bus.publish({ kind: 'message', conversation_id: server.conversation, seq });
  }
  await server.heardAll(socket, 1);
  await server.send('announced');
  await server.heardAll(socket, 2);
  await server.send('announced to nobody again', mute);
  server.clock.advance(10);
  await server.realtime.sweep();
  await server.heardAll(socket, 3);
});

test.each([-2, 2])(
  'a clock that is put %i hours on stops no delivery and closes no socket',
  async (hours) => {
    const socket = await server.listen();
    const { clock } = server;
    const right = clock.now();
    clock.set(new Date(right.getTime() + hours * 3_600_000));
    clock.advance(11);
    // By a clock two hours on the access token has ended: the client joins anew with the token it holds by then.
    if (hours < 0) await server.store(1);
    await server.realtime.sweep();
    if (hours < 0) await server.heardAll(socket, 1);
    await socket.heartbeat();
    expect(socket.wire.readyState).toBe(socket.wire.OPEN);
    clock.set(right);
  },
);

test('promise 38: everyone joins anew after announcements may have been missed', async () => {
  const { buyer, topic } = server;
  const socket = await server.listen();
  await socket.join(`user:${buyer}`, { access_token: buyer });
  server.faults.tellGap();
  for (const lost of [topic, `user:${buyer}`]) {
    await socket.hear(([, , heard, event]) => heard === lost && event === 'phx_error');
  }
  expect(await socket.join(topic, { access_token: buyer })).toMatchObject({ status: 'ok' });
});

test('promise 38: what could not be read is delivered when the database answers again', async () => {
  const { realtime, faults } = server;
  const socket = await server.listen();
  faults.unreadable = true;
  await server.send('unread');
  await realtime.settled();
  await realtime.sweep();
  await realtime.settled();
  expect(seqsOf(socket)).toEqual([]);
  faults.unreadable = false;
  await realtime.sweep();
  await server.heardAll(socket, 1);
});

test('promise 12: a session whose end nobody announced is found within seconds while the bus is deaf', async () => {
  const { buyer, seller, faults } = server;
  const [gone, kept] = [await server.listen(), await server.listen({ access_token: seller })];
  faults.deaf = true;
  faults.ended.add(buyer);
  server.clock.advance(2);
  await server.realtime.sweep();
  expect(await gone.closed).toBe(1008);
  await kept.heartbeat();
});

test('whoever joins while others are served begins where they stopped', async () => {
  await server.store(120);
  const starts = [120, 0, 60, 119];
  const joining = starts.map((after_seq) => server.listen({ after_seq }));
  await Promise.all(upTo(30).map((n) => server.send(`message ${n}`)));
  const sockets = await Promise.all(joining);
  await server.realtime.settled();
  for (const [index, socket] of sockets.entries()) {
    await socket.heartbeat();
    expect(seqsOf(socket)).toEqual(upTo(150).slice(starts[index]));
  }
});

const stopReading = async () => {
  const socket = await server.listen();
  socket.wire.pause();
  await server.store(4000, 'ü'.repeat(2000));
  await server.bus.publish({ kind: 'message', conversation_id: server.conversation, seq: 4000 });
  await Promise.resolve();
  await server.realtime.settled();
  return socket;
};

test('a reader that pauses is not written to without end, keeps nobody waiting, and gets the rest later', async () => {
  const paused = await stopReading();
  const other = await server.listen({ after_seq: 0 });
  await server.heardAll(other, 4000);
  expect(seqsOf(paused).length).toBeLessThan(4000);
  paused.wire.resume();
  await server.heardAll(paused, 4000);
});

test('a reader that never reads on is cut off, signs of life or not', async () => {
  const { realtime, clock } = server;
  const paused = await stopReading();
  await realtime.sweep();
  clock.advance(40);
  paused.say(['1', '2', server.topic, 'access_token', { access_token: 'alive' }]);
  await expect.poll(() => server.presented.at(-1)).toBe('alive');
  await realtime.sweep();
  expect(realtime.size()).toBe(1);
  clock.advance(11);
  await realtime.sweep();
  await expect.poll(() => realtime.size()).toBe(0);
});

test('promise 12: a session that ends while a join is under way does not listen', async () => {
  const { bus, buyer, topic } = server;
  const socket = await server.open();
  server.faults.onAuthenticate = () =>
    bus.publish({ kind: 'sessions_ended', user_id: buyer, session_ids: [buyer] });
  const reply = await socket.join(topic, { access_token: buyer, after_seq: 0 });
  expect(reply).toMatchObject({ status: 'error', response: { reason: 'not_authenticated' } });
});

test('who joins is told what is unread by then, and of nothing earlier afterwards', async () => {
  const { buyer, faults } = server;
  await server.store(3);
  const socket = await server.open();
  const joining = socket.join(`user:${buyer}`, { access_token: buyer });
  expect(await joining).toEqual({ status: 'ok', response: { unread_total: 3 } });
  await server.send('the fourth');
  await socket.hear(([, , , event]) => event === 'unread');
  // What is announced while the answer is made comes after it.
  faults.onCount = async () => {
    await server.send('in between');
    await server.realtime.settled();
  };
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toMatchObject({ status: 'ok' });
  await socket.heartbeat();
  const told = socket.frames.flatMap(([joinRef, , , event, payload]) =>
    joinRef === '2' && event !== 'phx_close' ? [[event, payload]] : [],
  );
  expect(told).toEqual([
    ['phx_reply', { status: 'ok', response: { unread_total: 5 } }],
    ['unread', { conversation_id: server.conversation, unread_count: 5, unread_total: 5 }],
  ]);
});

test('a count that cannot be made, or comes too late, refuses the join and leaves nothing behind', async () => {
  const { buyer, faults } = server;
  const socket = await server.listen();
  const refused = { status: 'error', response: { reason: 'unavailable' } };
  faults.onCount = async () => {
    throw new Error('The database does not answer');
  };
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toEqual(refused);
  faults.onCount = async () => faults.tellGap();
  expect(await socket.join(`user:${buyer}`, { access_token: buyer })).toEqual(refused);
  faults.onCount = async () => {};
  await server.send('untold');
  await server.realtime.settled();
  await socket.heartbeat();
  expect(socket.frames.filter(([, , , event]) => event === 'unread')).toEqual([]);
});

test('both parties hear of what is unread', async () => {
  const { buyer, seller, conversation } = server;
  const [ofBuyer, ofSeller] = [await server.open(), await server.open()];
  await ofBuyer.join(`user:${buyer}`, { access_token: buyer });
  await ofSeller.join(`user:${seller}`, { access_token: seller });
  await server.send('one');
  const unread = await ofBuyer.hear(([, , , event]) => event === 'unread');
  expect(unread[4]).toEqual({ conversation_id: conversation, unread_count: 1, unread_total: 1 });
  expect((await ofSeller.hear(([, , , event]) => event === 'unread'))[4]).toMatchObject({ unread_total: 0 });
  await server.markRead(1);
  await ofBuyer.hear(([, , , , payload]) => (payload as { unread_total?: number }).unread_total === 0);
});

test('a topic joined again is closed under its earlier name; leaving ends delivery', async () => {
  const { buyer, topic } = server;
  const socket = await server.listen();
  await socket.join(topic, { access_token: buyer });
  expect((await socket.hear(([, , , event]) => event === 'phx_close'))[0]).toBe('1');
  await server.send('once');
  await server.heardAll(socket, 1);
  socket.say(['2', '9', topic, 'phx_leave', {}]);
  await socket.hear(([joinRef, , , event]) => joinRef === '2' && event === 'phx_close');
  await server.send('unheard');
  await server.realtime.settled();
  await socket.heartbeat();
  expect(seqsOf(socket)).toEqual([1]);
});

test('promise 41: shutting down closes every socket with 1001 and takes no new one', async () => {
  const sockets = await Promise.all([server.listen(), server.listen(), server.open()]);
  const closing = server.realtime.close();
  expect(await upgradeStatus(socketUrl(server.port))).toBe(503);
  await closing;
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001, 1001]);
});
