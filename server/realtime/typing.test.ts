import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { RawSocket } from '#server/testing/raw-socket.ts';
import { startRealtimeServer } from '#server/testing/realtime-server.ts';
import { createLiveSocket } from './live-socket.ts';
import { createThrottle } from './throttle.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
let buyerSocket: RawSocket;
let sellerSocket: RawSocket;
beforeEach(async () => {
  server = await startRealtimeServer();
  await server.send('Hello');
  buyerSocket = await server.listen();
  sellerSocket = await server.listen({ access_token: server.seller });
});
afterEach(() => server.stop());

let frameCount = 0;
/** Sends that the owner of a socket is typing; returns the reply. */
const type = async (socket: RawSocket): Promise<unknown> => {
  frameCount += 1;
  const wanted = `typing ${frameCount}`;
  socket.send(['1', wanted, server.topic, 'typing', {}]);
  return (await socket.waitFor(([, ref]) => ref === wanted))[4];
};
const listPayloads = ({ frames }: RawSocket, wanted: string): unknown[] =>
  frames.filter(([, , , event]) => event === wanted).map(([, , , , payload]) => payload);
/** Waits until everything that was sent so far has been delivered. */
const settle = async (): Promise<void> => {
  await server.realtime.settled();
  await Promise.all([buyerSocket.heartbeat(), sellerSocket.heartbeat()]);
};
/** Runs an action and returns the first words of the statements that live delivery sent meanwhile. */
const recordStatements = async (act: () => Promise<unknown>): Promise<string[]> => {
  const { length } = server.statements;
  await act();
  return server.statements.slice(length).map((text) => text.trim().split(/\s/)[0] ?? '');
};

const ok = { status: 'ok', response: {} };
const { block, hide, suspend } = {
  block: (userId: string, blockedId: string) =>
    server.sql`INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (${userId}, ${blockedId}, now())`,
  suspend: (userId: string) => server.sql`
    INSERT INTO private.credentials (user_id, updated_at, suspended_at) VALUES (${userId}, now(), now())`,
  hide: (userId: string) =>
    server.sql`UPDATE users SET show_seen = false, show_typing = false WHERE id = ${userId}`,
};

test('promise 100: only the other party learns that somebody is typing, at most once in three seconds, and nothing is written', async () => {
  const statements = await recordStatements(async () => {
    for (let frame = 0; frame < 50; frame += 1) expect(await type(buyerSocket)).toEqual(ok);
    await settle();
  });
  expect(statements).toEqual(['SELECT']);
  expect(listPayloads(sellerSocket, 'typing')).toEqual([{ user_id: server.buyer }]);
  expect(listPayloads(buyerSocket, 'typing')).toEqual([]);
  server.clock.advance(3);
  await type(buyerSocket);
  await type(sellerSocket);
  await settle();
  expect(listPayloads(sellerSocket, 'typing')).toHaveLength(2);
  expect(listPayloads(buyerSocket, 'typing')).toEqual([{ user_id: server.seller }]);
});

test('that somebody is typing arrives through another process, also only once in three seconds', async () => {
  const other = await server.startProcess(server.bus);
  const elsewhere = await other.listen({ access_token: server.seller });
  await type(await other.listen());
  await type(buyerSocket);
  await settle();
  await elsewhere.heartbeat();
  expect(listPayloads(elsewhere, 'typing')).toEqual([{ user_id: server.buyer }]);
  await other.stop();
});

test('the other party sees at once what was read', async () => {
  await server.markRead(1);
  await settle();
  expect(listPayloads(sellerSocket, 'seen')).toEqual([{ seq: 1 }]);
  expect(listPayloads(buyerSocket, 'seen')).toEqual([]);
});

test('the other party learns nothing when somebody archives, mutes or marks the conversation', async () => {
  const announce = (seen?: boolean) =>
    server.bus.publish({ kind: 'read', conversation_id: server.conversation, user_id: server.buyer, seen });
  await announce(false);
  await announce();
  await settle();
  expect(listPayloads(sellerSocket, 'seen')).toEqual([]);
  await server.markRead(1);
  await server.sql`UPDATE conversations SET buyer_marked_unread = true`;
  await server.markRead(1);
  await settle();
  expect(listPayloads(sellerSocket, 'seen')).toEqual([{ seq: 1 }]);
});

describe('promise 100: neither typing nor seen is told', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['by people who switched it off', () => hide(server.buyer)],
    ['to people who switched it off', () => hide(server.seller)],
    ['to people whom one has blocked', () => block(server.buyer, server.seller)],
    ['to people who have blocked one', () => block(server.seller, server.buyer)],
    ['about suspended people', () => suspend(server.buyer)],
    ['to suspended people', () => suspend(server.seller)],
  ])('%s, and the reply is the same as ever', async (_, change) => {
    await change();
    const statements = await recordStatements(async () => {
      expect(await type(buyerSocket)).toEqual(ok);
      await settle();
    });
    expect(statements).toEqual(['SELECT']);
    await server.markRead(1);
    await settle();
    for (const socket of [buyerSocket, sellerSocket])
      expect([...listPayloads(socket, 'typing'), ...listPayloads(socket, 'seen')]).toEqual([]);
  });
});

test('a topic that was not joined, or is not a conversation, has nobody who types', async () => {
  const socket = await server.open();
  socket.send(['1', 'x', server.topic, 'typing', {}]);
  expect((await socket.waitFor(([, ref]) => ref === 'x'))[4]).toMatchObject({ status: 'error' });
  const topic = `user:${server.buyer}`;
  await socket.join(topic, { access_token: server.buyer });
  expect(
    await recordStatements(async () => {
      socket.send(['1', 'y', topic, 'typing', {}]);
      expect((await socket.waitFor(([, ref]) => ref === 'y'))[4]).toEqual(ok);
    }),
  ).toEqual([]);
});

// Each further field costs memory for every open socket: compare the bytes per socket with those of the previous version
// first (bench/sockets).
test('promise 103: a socket keeps the same as in version 0.10, and who typed is forgotten', () => {
  const socket = createLiveSocket({} as WebSocket, { claim: async () => true } as never, 0);
  expect(Object.keys(socket).sort()).toEqual([
    'bufferFullSince',
    'idleSince',
    'listeners',
    'onSent',
    'pending',
    'receivedAt',
    'slot',
    'tail',
    'userId',
    'verified',
    'webSocket',
  ]);
  let elapsed = 0;
  const throttle = createThrottle(3000, () => elapsed);
  for (let person = 0; person < 1000; person += 1) {
    expect([throttle.pass(`${person}`), throttle.pass(`${person}`)]).toEqual([true, false]);
    elapsed += 1000;
  }
  expect(throttle.size()).toBe(3);
});
