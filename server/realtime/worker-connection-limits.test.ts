import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { openRpc } from '#server/platform/process/worker-rpc.ts';
import { type ConnectionQuotas, createConnectionLimits } from './connection-limits.ts';
import {
  type ConnectionLimitHandlers,
  createConnectionLimitHandlers,
  createRemoteConnectionLimits,
} from './worker-connection-limits.ts';

/** Returns both ends of an IPC channel: each message reaches the other end asynchronously, as a copy. */
const createIpcChannel = () => {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const deliver = (to: EventEmitter) => (message: object) =>
    queueMicrotask(() => to.emit('message', structuredClone(message)));
  return [
    Object.assign(here, { send: deliver(there) }),
    Object.assign(there, { send: deliver(here) }),
  ] as const;
};

const createWorkerStarter = (quotas: Partial<ConnectionQuotas>) => {
  const counted = createConnectionLimits(quotas);
  return () => {
    const [primary, worker] = createIpcChannel();
    const { releaseAll, ...handlers } = createConnectionLimitHandlers(counted);
    openRpc(primary, handlers);
    return {
      connectionLimits: createRemoteConnectionLimits(openRpc<ConnectionLimitHandlers>(worker, {})),
      die: releaseAll,
    };
  };
};

const ipAddress = '192.0.2.7';

test('promise 37: quotas per account and per address apply to all workers together', async () => {
  const start = createWorkerStarter({ perAccount: 2, perAddress: 4, unauthenticatedPerAddress: 2 });
  const [first, second] = [start().connectionLimits, start().connectionLimits];
  const one = await first.acquire(ipAddress);
  const two = await second.acquire(ipAddress);
  expect(await first.acquire(ipAddress)).toBeUndefined();
  expect(await second.acquire('192.0.2.8')).toBeDefined();
  expect([await one?.claim('sally'), await two?.claim('sally')]).toEqual([true, true]);

  const three = await first.acquire(ipAddress);
  expect(await three?.claim('sally')).toBe(false);
  expect(await three?.claim('ben')).toBe(true);
  expect(await second.acquire(ipAddress)).toBeDefined();
  expect(await first.acquire(ipAddress)).toBeUndefined();

  two?.release();
  expect(await first.acquire(ipAddress)).toBeDefined();
  expect(await three?.claim('sally')).toBe(true);
});

test('releases the slots of a worker that exited and refuses its later calls', async () => {
  const start = createWorkerStarter({ perAddress: 2 });
  const [first, second] = [start(), start()];
  const [one] = [
    await first.connectionLimits.acquire(ipAddress),
    await first.connectionLimits.acquire(ipAddress),
  ];
  expect(await second.connectionLimits.acquire(ipAddress)).toBeUndefined();
  first.die();
  expect(await first.connectionLimits.acquire('192.0.2.8')).toBeUndefined();
  expect(await one?.claim('sally')).toBe(false);
  expect([
    await second.connectionLimits.acquire(ipAddress),
    await second.connectionLimits.acquire(ipAddress),
  ]).toEqual([expect.anything(), expect.anything()]);
  expect(await second.connectionLimits.acquire(ipAddress)).toBeUndefined();
});

test('releases a slot that was granted after the call timed out', async () => {
  vi.useFakeTimers();
  try {
    const counted = createConnectionLimits({ perAddress: 1 });
    const [primary, worker] = createIpcChannel();
    const connectionLimits = createRemoteConnectionLimits(openRpc<ConnectionLimitHandlers>(worker, {}));
    const calls: object[] = [];
    primary.on('message', (message: object) => calls.push(message));
    const acquiring = expect(connectionLimits.acquire(ipAddress)).rejects.toThrow('No reply to acquire');
    await vi.advanceTimersByTimeAsync(2000);
    await acquiring;
    expect(calls).toHaveLength(2);
    openRpc(primary, createConnectionLimitHandlers(counted));
    for (const message of [...calls]) primary.emit('message', message);
    await vi.advanceTimersByTimeAsync(2000);
    expect(counted.acquire(ipAddress)).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
