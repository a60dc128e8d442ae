import { expect, test } from 'vitest';
import { coalesceByKey } from './coalesce.ts';

const createControlledWork = () => {
  const finish: ((error?: Error) => void)[] = [];
  const started: string[] = [];
  const errors: unknown[] = [];
  const work = coalesceByKey(
    (key) => {
      started.push(key);
      return new Promise((done, fail) => finish.push((error) => (error ? fail(error) : done())));
    },
    (error) => errors.push(error),
  );
  const finishNext = async (error?: Error) => {
    finish.shift()?.(error);
    await new Promise((done) => setImmediate(done));
  };
  return { work, started, errors, finishNext };
};

test('runs once more after any number of requests during a run', async () => {
  const { work, started, finishNext } = createControlledWork();
  for (let times = 0; times < 5; times += 1) work.run('a');
  expect(started).toEqual(['a']);
  await finishNext();
  expect(started).toEqual(['a', 'a']);
  await finishNext();
  await work.settled();
  expect(started).toEqual(['a', 'a']);
  work.run('a');
  expect(started).toEqual(['a', 'a', 'a']);
});

test('runs different keys concurrently', () => {
  const { work, started } = createControlledWork();
  work.run('a');
  work.run('b');
  expect(started).toEqual(['a', 'b']);
});

test('reports a failure once and runs again on retry until it succeeds', async () => {
  const { work, started, errors, finishNext } = createControlledWork();
  const failure = new Error('not now');
  work.run('a');
  await finishNext(failure);
  work.retry();
  await finishNext(new Error('not yet'));
  expect(errors).toEqual([failure]);
  work.retry();
  await finishNext();
  work.retry();
  expect(started).toEqual(['a', 'a', 'a']);
});
