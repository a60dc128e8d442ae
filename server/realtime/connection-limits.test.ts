import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  createWebSocketUrl,
  openRawSocket,
  type RawSocket,
  requestUpgrade,
} from '#server/testing/raw-socket.ts';
import { startRealtimeServer } from '#server/testing/realtime-server.ts';
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
beforeEach(async () => {
  server = await startRealtimeServer();
});
afterEach(() => server.stop());

const refusedReply = { status: 'error', response: { reason: 'rate_limited' } };
const acceptedReply = { status: 'ok', response: expect.anything() };
const closeSocket = async (socket: RawSocket): Promise<void> => {
  socket.webSocket.close();
  await socket.closed;
};

test('refuses the 21st socket of an account until one is closed; other accounts are not affected', async () => {
  const { buyer, seller, topic } = server;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => server.listen()));
  const next = await server.open();
  expect(await next.join(topic, { access_token: `${buyer}/another-session` })).toEqual(refusedReply);
  expect(await next.join(`user:${buyer}`, { access_token: buyer })).toEqual(refusedReply);
  await server.listen({ access_token: seller });
  // A socket that is already counted for the account may join more topics, even when the account's
  // quota is used up.
  expect(await sockets[0]?.join(`user:${buyer}`, { access_token: buyer })).toEqual(acceptedReply);
  if (sockets[1]) await closeSocket(sockets[1]);
  expect(await next.join(topic, { access_token: buyer })).toEqual(acceptedReply);
});

test('releases the slot of the previous account when a socket changes accounts', async () => {
  const { buyer, seller, topic } = server;
  const process = await server.startProcess(server.bus, { perAccount: 1 });
  const shared = await process.open();
  await shared.join(topic, { access_token: buyer });
  expect(await shared.join(topic, { access_token: seller })).toEqual(acceptedReply);
  const second = await process.open();
  expect(await second.join(topic, { access_token: seller })).toEqual(refusedReply);
  expect(await second.join(topic, { access_token: buyer })).toEqual(acceptedReply);
  await process.stop();
});

test('limits unauthenticated sockets per address; joining or closing frees a slot', async () => {
  const { buyer, topic } = server;
  const process = await server.startProcess(server.bus, { unauthenticatedPerAddress: 2 });
  const [first, second] = [await process.open(), await process.open()];
  const tryUpgrade = () => requestUpgrade(createWebSocketUrl(process.port));
  expect(await tryUpgrade()).toBe(429);
  await first.join(topic, { access_token: 'nobody' });
  expect(await tryUpgrade()).toBe(429);
  await first.join(topic, { access_token: buyer });
  expect(await tryUpgrade()).toBe(101);
  await closeSocket(second);
  await expect.poll(tryUpgrade).toBe(101);
  await process.stop();
});

test('frees the slots of sockets that never join', async () => {
  const process = await server.startProcess(server.bus, { unauthenticatedPerAddress: 3 });
  const idle = await Promise.all([process.open(), process.open(), process.open()]);
  expect(await requestUpgrade(createWebSocketUrl(process.port))).toBe(429);
  server.clock.advance(5);
  await process.realtime.sweep();
  expect(await Promise.all(idle.map(({ closed }) => closed))).toEqual([1008, 1008, 1008]);
  await expect.poll(() => requestUpgrade(createWebSocketUrl(process.port))).toBe(101);
  await process.stop();
});

test('limits sockets per address across accounts; other addresses are not affected', async () => {
  const process = await server.startProcess(server.bus, { perAddress: 2 });
  const sockets = [await process.listen(), await process.listen({ access_token: server.seller })];
  expect(await requestUpgrade(createWebSocketUrl(process.port))).toBe(429);
  const elsewhere = await openRawSocket(process.port, { localAddress: '127.0.0.9' });
  await elsewhere.heartbeat();
  for (const socket of sockets) await socket.heartbeat();
  await process.stop();
});

test('promise 37: counts sockets by the forwarded address behind a trusted proxy, and IPv6 addresses by their /64', async () => {
  const quotas = { perAddress: 1 };
  const behind = await server.startProcess(server.bus, { ...quotas, trustProxy: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await openRawSocket(behind.port, { headers: from('2001:db8:1:2::1') });
  for (const [address, status] of [
    ['2001:db8:1:2:ffff::9', 429],
    // Only the last entry of X-Forwarded-For counts, because the trusted proxy added it; the first one comes
    // from the client.
    ['198.51.100.7, 2001:db8:1:2::3', 429],
    ['2001:db8:1:3::1', 101],
    ['198.51.100.7', 101],
  ] as const) {
    expect(await requestUpgrade(createWebSocketUrl(behind.port), undefined, from(address))).toBe(status);
  }
  await behind.stop();

  const direct = await server.startProcess(server.bus, quotas);
  await openRawSocket(direct.port, { headers: from('198.51.100.1') });
  expect(await requestUpgrade(createWebSocketUrl(direct.port), undefined, from('198.51.100.2'))).toBe(429);
  await direct.stop();
});

test('refuses upgrades with 503 and joins with "unavailable" while the limits cannot be checked', async () => {
  let onAcquire = async () => {};
  const fail = async () => {
    throw new Error('No answer');
  };
  const connectionLimits: ConnectionLimits = {
    acquire: async () => {
      await onAcquire();
      return { claim: fail, release: () => {} };
    },
  };
  const process = await server.startProcess(server.bus, { connectionLimits });
  const socket = await process.open();
  expect(await socket.join(server.topic, { access_token: server.buyer })).toMatchObject({
    response: { reason: 'unavailable' },
  });
  onAcquire = fail;
  expect(await requestUpgrade(createWebSocketUrl(process.port))).toBe(503);
  await process.stop();
});

test('releases a slot if its client disconnects while the slot is being acquired', async () => {
  const counted = createConnectionLimits({ perAddress: 1 });
  let finish = () => {};
  const acquired = Promise.withResolvers<void>();
  const connectionLimits: ConnectionLimits = {
    acquire: async (address) => {
      const slot = counted.acquire(address);
      acquired.resolve();
      await new Promise<void>((done) => {
        finish = done;
      });
      return slot;
    },
  };
  const process = await server.startProcess(server.bus, { connectionLimits });
  const webSocket = new WebSocket(createWebSocketUrl(process.port));
  webSocket.on('error', () => {});
  await acquired.promise;
  webSocket.terminate();
  await new Promise((closed) => webSocket.on('close', closed));
  finish();
  await expect.poll(() => counted.acquire('127.0.0.1')).toBeDefined();
  await process.stop();
});
