import { expect, test } from 'vitest';
import { getReconnectDelayMs } from './reconnect.ts';

test.each([
  [1, 1000],
  [2, 2000],
  [3, 5000],
  [4, 10_000],
  [5, 10_000],
  [500, 10_000],
])('attempt %i waits at least %i ms and at most 20 % longer', (tries, least) => {
  expect(getReconnectDelayMs(tries, () => 0)).toBe(least);
  expect(getReconnectDelayMs(tries, () => 1)).toBe(least * 1.2);
});
