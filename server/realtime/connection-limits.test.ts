import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openRaw, type RawSocket, socketUrl, upgradeStatus } from '#server/testing/raw-socket.ts';
import { startRealtimeServer } from '#server/testing/realtime-server.ts';
import { type ConnectionLimits, createConnectionLimits } from './connection-limits.ts';

let server: Awaited<ReturnType<typeof startRealtimeServer>>;
beforeEach(async () => {
  server = await startRealtimeServer();
});
afterEach(() => server.stop());

const refused = { status: 'error', response: { reason: 'rate_limited' } };
const accepted = { status: 'ok', response: expect.anything() };
const leave = async (socket: RawSocket): Promise<void> => {
  socket.wire.close();
  await socket.closed;
};

test('an account has twenty sockets; the next is refused until one is gone, and others are not touched', async () => {
  const { buyer, seller, topic } = server;
  const sockets = await Promise.all(Array.from({ length: 20 }, () => server.listen()));
  const next = await server.open();
  expect(await next.join(topic, { access_token: `${buyer}/another-session` })).toEqual(refused);
  expect(await next.join(`user:${buyer}`, { access_token: buyer })).toEqual(refused);
  await server.listen({ access_token: seller });
  // More topics on a socket that has its place already.
  expect(await sockets[0]?.join(`user:${buyer}`, { access_token: buyer })).toEqual(accepted);
  if (sockets[1]) await leave(sockets[1]);
  expect(await next.join(topic, { access_token: buyer })).toEqual(accepted);
});

test('a socket that becomes another person’s gives its place back', async () => {
  const { buyer, seller, topic } = server;
  const process = await server.startProcess(server.bus, { ofAccount: 1 });
  const shared = await process.open();
  await shared.join(topic, { access_token: buyer });
  expect(await shared.join(topic, { access_token: seller })).toEqual(accepted);
  const second = await process.open();
  expect(await second.join(topic, { access_token: seller })).toEqual(refused);
  expect(await second.join(topic, { access_token: buyer })).toEqual(accepted);
  await process.stop();
});

test('an address has few sockets that have not joined; joining, or leaving, makes room', async () => {
  const { buyer, topic } = server;
  const process = await server.startProcess(server.bus, { unknownOfAddress: 2 });
  const [first, second] = [await process.open(), await process.open()];
  const wish = () => upgradeStatus(socketUrl(process.port));
  expect(await wish()).toBe(429);
  await first.join(topic, { access_token: 'nobody' });
  expect(await wish()).toBe(429);
  await first.join(topic, { access_token: buyer });
  expect(await wish()).toBe(101);
  await leave(second);
  await expect.poll(wish).toBe(101);
  await process.stop();
});

test('those that never join do not keep their places', async () => {
  const process = await server.startProcess(server.bus, { unknownOfAddress: 3 });
  const idle = await Promise.all([process.open(), process.open(), process.open()]);
  expect(await upgradeStatus(socketUrl(process.port))).toBe(429);
  server.clock.advance(5);
  await process.realtime.sweep();
  expect(await Promise.all(idle.map(({ closed }) => closed))).toEqual([1008, 1008, 1008]);
  await expect.poll(() => upgradeStatus(socketUrl(process.port))).toBe(101);
  await process.stop();
});

test('an address has a bound, whoever opens them; another address has its own', async () => {
  const process = await server.startProcess(server.bus, { ofAddress: 2 });
  const sockets = [await process.listen(), await process.listen({ access_token: server.seller })];
  expect(await upgradeStatus(socketUrl(process.port))).toBe(429);
  const elsewhere = await openRaw(process.port, { localAddress: '127.0.0.9' });
  await elsewhere.heartbeat();
  for (const socket of sockets) await socket.heartbeat();
  await process.stop();
});

test('promise 37: behind a trusted proxy the forwarded address counts, an IPv6 one by its /64', async () => {
  const bounds = { ofAddress: 1 };
  const behind = await server.startProcess(server.bus, { ...bounds, trustProxy: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await openRaw(behind.port, { headers: from('2001:db8:1:2::1') });
  for (const [address, status] of [
    ['2001:db8:1:2:ffff::9', 429],
    // What the client itself wrote before the proxy's own entry is not believed.
    ['198.51.100.7, 2001:db8:1:2::3', 429],
    ['2001:db8:1:3::1', 101],
    ['198.51.100.7', 101],
  ] as const) {
    expect(await upgradeStatus(socketUrl(behind.port), undefined, from(address))).toBe(status);
  }
  await behind.stop();

  const direct = await server.startProcess(server.bus, bounds);
  await openRaw(direct.port, { headers: from('198.51.100.1') });
  expect(await upgradeStatus(socketUrl(direct.port), undefined, from('198.51.100.2'))).toBe(429);
  await direct.stop();
});

test('while nobody can say whether there is room, a socket is refused as the rest is, and a join answered so', async () => {
  let onEnter = async () => {};
  const silent = async () => {
    throw new Error('No answer');
  };
  const connectionLimits: ConnectionLimits = {
    enter: async () => {
      await onEnter();
      return { claim: silent, leave: () => {} };
    },
  };
  const process = await server.startProcess(server.bus, { connectionLimits });
  const socket = await process.open();
  expect(await socket.join(server.topic, { access_token: server.buyer })).toMatchObject({
    response: { reason: 'unavailable' },
  });
  onEnter = silent;
  expect(await upgradeStatus(socketUrl(process.port))).toBe(503);
  await process.stop();
});

test('who hangs up while its place is sought gives it back', async () => {
  const counted = createConnectionLimits({ ofAddress: 1 });
  let goOn = () => {};
  const sought = Promise.withResolvers<void>();
  const connectionLimits: ConnectionLimits = {
    enter: async (address) => {
      const slot = counted.enter(address);
      sought.resolve();
      await new Promise<void>((done) => {
        goOn = done;
      });
      return slot;
    },
  };
  const process = await server.startProcess(server.bus, { connectionLimits });
  const wire = new WebSocket(socketUrl(process.port));
  wire.on('error', () => {});
  await sought.promise;
  wire.terminate();
  await new Promise((closed) => wire.on('close', closed));
  goOn();
  await expect.poll(() => counted.enter('127.0.0.1')).toBeDefined();
  await process.stop();
});
