import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { openRpc } from '#server/platform/process/worker-rpc.ts';
import { type ConnectionBounds, createConnectionLimits } from './connection-limits.ts';
import {
  type ConnectionLimitHandlers,
  connectToLimits,
  serveConnectionLimits,
} from './worker-connection-limits.ts';

/** Both ends of a channel between two processes: what one sends the other hears a little later, as a copy. */
const openChannel = () => {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const deliver = (to: EventEmitter) => (message: object) =>
    queueMicrotask(() => to.emit('message', structuredClone(message)));
  return [
    Object.assign(here, { send: deliver(there) }),
    Object.assign(there, { send: deliver(here) }),
  ] as const;
};

const startWorkers = (bounds: Partial<ConnectionBounds>) => {
  const counted = createConnectionLimits(bounds);
  return () => {
    const [primary, worker] = openChannel();
    const { leaveAll, ...answers } = serveConnectionLimits(counted);
    openRpc(primary, answers);
    return { connectionLimits: connectToLimits(openRpc<ConnectionLimitHandlers>(worker, {})), die: leaveAll };
  };
};

const address = '192.0.2.7';

test('37. bounds of an account and of an address hold for all workers together', async () => {
  const start = startWorkers({ ofAccount: 2, ofAddress: 4, unknownOfAddress: 2 });
  const [first, second] = [start().connectionLimits, start().connectionLimits];
  const one = await first.enter(address);
  const two = await second.enter(address);
  expect(await first.enter(address)).toBeUndefined();
  expect(await second.enter('192.0.2.8')).toBeDefined();
  expect([await one?.claim('sally'), await two?.claim('sally')]).toEqual([true, true]);

  const three = await first.enter(address);
  expect(await three?.claim('sally')).toBe(false);
  expect(await three?.claim('ben')).toBe(true);
  expect(await second.enter(address)).toBeDefined();
  expect(await first.enter(address)).toBeUndefined();

  two?.leave();
  expect(await first.enter(address)).toBeDefined();
  expect(await three?.claim('sally')).toBe(true);
});

test('what a worker held is free when it has died, and nothing it still asks is granted', async () => {
  const start = startWorkers({ ofAddress: 2 });
  const [first, second] = [start(), start()];
  const [one] = [await first.connectionLimits.enter(address), await first.connectionLimits.enter(address)];
  expect(await second.connectionLimits.enter(address)).toBeUndefined();
  first.die();
  expect(await first.connectionLimits.enter('192.0.2.8')).toBeUndefined();
  expect(await one?.claim('sally')).toBe(false);
  expect([
    await second.connectionLimits.enter(address),
    await second.connectionLimits.enter(address),
  ]).toEqual([expect.anything(), expect.anything()]);
  expect(await second.connectionLimits.enter(address)).toBeUndefined();
});

test('who gets no answer in time gives back what may be granted late', async () => {
  vi.useFakeTimers();
  try {
    const counted = createConnectionLimits({ ofAddress: 1 });
    const [primary, worker] = openChannel();
    const connectionLimits = connectToLimits(openRpc<ConnectionLimitHandlers>(worker, {}));
    const asked: object[] = [];
    primary.on('message', (message: object) => asked.push(message));
    const entering = expect(connectionLimits.enter(address)).rejects.toThrow('No answer to enter');
    await vi.advanceTimersByTimeAsync(2000);
    await entering;
    expect(asked).toHaveLength(2);
    openRpc(primary, serveConnectionLimits(counted));
    for (const message of [...asked]) primary.emit('message', message);
    await vi.advanceTimersByTimeAsync(2000);
    expect(counted.enter(address)).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});
