import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { openRpc } from '#server/platform/process/worker-rpc.ts';
import { type ConnectionQuotas, createConnectionLimits } from './connection-limits.ts';
import {
  type ConnectionLimitHandlers,
  connectToLimits,
  serveConnectionLimits,
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

const startWorkers = (quotas: Partial<ConnectionQuotas>) => {
  const counted = createConnectionLimits(quotas);
  return () => {
    const [primary, worker] = createIpcChannel();
    const { releaseAll, ...handlers } = serveConnectionLimits(counted);
    openRpc(primary, handlers);
    return {
      connectionLimits: connectToLimits(openRpc<ConnectionLimitHandlers>(worker, {})),
      die: releaseAll,
    };
  };
};

const address = '192.0.2.7';

test('promise 37: quotas per account and per address apply to all workers together', async () => {
  const start = startWorkers({ perAccount: 2, perAddress: 4, unauthenticatedPerAddress: 2 });
  const [first, second] = [start().connectionLimits, start().connectionLimits];
  const one = await first.acquire(address);
  const two = await second.acquire(address);
  expect(await first.acquire(address)).toBeUndefined();
  expect(await second.acquire('192.0.2.8')).toBeDefined();
  expect([await one?.claim('sally'), await two?.claim('sally')]).toEqual([true, true]);

  const three = await first.acquire(address);
  expect(await three?.claim('sally')).toBe(false);
  expect(await three?.claim('ben')).toBe(true);
  expect(await second.acquire(address)).toBeDefined();
  expect(await first.acquire(address)).toBeUndefined();

  two?.release();
  expect(await first.acquire(address)).toBeDefined();
  expect(await three?.claim('sally')).toBe(true);
});

test('releases the slots of a worker that exited and refuses its later calls', async () => {
  const start = startWorkers({ perAddress: 2 });
  const [first, second] = [start(), start()];
  const [one] = [
    await first.connectionLimits.acquire(address),
    await first.connectionLimits.acquire(address),
  ];
  expect(await second.connectionLimits.acquire(address)).toBeUndefined();
  first.die();
  expect(await first.connectionLimits.acquire('192.0.2.8')).toBeUndefined();
  expect(await one?.claim('sally')).toBe(false);
  expect([
    await second.connectionLimits.acquire(address),
    await second.connectionLimits.acquire(address),
  ]).toEqual([expect.anything(), expect.anything()]);
  expect(await second.connectionLimits.acquire(address)).toBeUndefined();
});

test('releases a slot that was granted after the call timed out', async () => {
  vi.useFakeTimers();
  try {
    const counted = createConnectionLimits({ perAddress: 1 });
    const [primary, worker] = createIpcChannel();
    const connectionLimits = connectToLimits(openRpc<ConnectionLimitHandlers>(worker, {}));
    const calls: object[] = [];
    primary.on('message', (message: object) => calls.push(message));
    const acquiring = expect(connectionLimits.acquire(address)).rejects.toThrow('No reply to acquire');
    await vi.advanceTimersByTimeAsync(2000);
    await acquiring;
    expect(calls).toHaveLength(2);
    openRpc(primary, serveConnectionLimits(counted));
    for (const message of [...calls]) primary.emit('message', message);
    await vi.advanceTimersByTimeAsync(2000);
    expect(counted.acquire(address)).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
