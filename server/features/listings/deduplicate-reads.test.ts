import { expect, test } from 'vitest';
import { createSharedRead } from './deduplicate-reads.ts';

/**
 * Creates a shared read and records its runs in the order in which they start; the test completes
 * each run.
 */
const createControlledRead = () => {
  const runs: { input: string; reading: PromiseWithResolvers<string> }[] = [];
  const share = createSharedRead<string>();
  const read = (input: string) =>
    share(input, () => {
      const reading = Promise.withResolvers<string>();
      runs.push({ input, reading });
      return reading.promise;
    });
  return { runs, read };
};

test('runs a single request immediately', async () => {
  const { runs, read } = createControlledRead();
  const result = read('a');
  expect(runs).toHaveLength(1);
  runs[0]?.reading.resolve('rows');
  expect(await result).toBe('rows');
});

test('requests that arrive during a run all receive the result of one later run', async () => {
  const { runs, read } = createControlledRead();
  const first = read('a');
  const later = [read('a'), read('a'), read('a')];
  expect(runs).toHaveLength(1);
  runs[0]?.reading.resolve('before the change');
  expect(await first).toBe('before the change');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.reading.resolve('after the change');
  expect(await Promise.all(later)).toEqual(['after the change', 'after the change', 'after the change']);
  expect(runs).toHaveLength(2);
});

test('a request that arrives after the later run has started gets a run of its own', async () => {
  const { runs, read } = createControlledRead();
  const results = [read('a'), read('a')];
  runs[0]?.reading.resolve('1');
  await expect.poll(() => runs.length).toBe(2);
  results.push(read('a'));
  runs[1]?.reading.resolve('2');
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.reading.resolve('3');
  expect(await Promise.all(results)).toEqual(['1', '2', '3']);
});

test('runs different inputs concurrently', () => {
  const { runs, read } = createControlledRead();
  void read('a');
  void read('b');
  expect(runs.map(({ input }) => input)).toEqual(['a', 'b']);
});

test('passes a failure to the waiting requests and reads again afterwards', async () => {
  const { runs, read } = createControlledRead();
  const results = [read('a'), read('a')].map((result) => result.catch(String));
  runs[0]?.reading.reject(new Error('unreachable'));
  expect(await Promise.all(results)).toEqual(['Error: unreachable', 'Error: unreachable']);
  expect(runs).toHaveLength(1);
  const again = read('a');
  runs[1]?.reading.resolve('rows');
  expect(await again).toBe('rows');
});
