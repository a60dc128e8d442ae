import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopWithTimeout } from './stop-with-timeout.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('waits for a part of the process to stop, but no longer than the timeout', async () => {
  await stopWithTimeout(() => Promise.resolve(), 7_000);
  expect(vi.getTimerCount()).toBe(0);
  const onStopped = vi.fn();
  const stopped = stopWithTimeout(() => new Promise(() => {}), 7_000).then(onStopped);
  await vi.advanceTimersByTimeAsync(6_999);
  expect(onStopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
});

test('rethrows the error of a part of the process that cannot be stopped', async () => {
  await expect(stopWithTimeout(() => Promise.reject(new Error('no')), 7_000)).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
});
