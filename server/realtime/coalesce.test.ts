import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

const controlled = () => {
  const finish: ((error?: Error) => void)[] = [];
  const started: string[] = [];
  const errors: unknown[] = [];
  const work = coalesce(
    (key) => {
      started.push(key);
      return new Promise((done, fail) => finish.push((error) => (error ? fail(error) : done())));
    },
    (error) => errors.push(error),
  );
  const settle = async (error?: Error) => {
    finish.shift()?.(error);
    await new Promise((done) => setImmediate(done));
  };
  return { work, started, errors, settle };
};

test('runs once more after any number of requests during a run', async () => {
  const { work, started, settle } = controlled();
  for (let times = 0; times < 5; times += 1) work.run('a');
  expect(started).toEqual(['a']);
  await settle();
  expect(started).toEqual(['a', 'a']);
  await settle();
  await work.settled();
  expect(started).toEqual(['a', 'a']);
  work.run('a');
  expect(started).toEqual(['a', 'a', 'a']);
});

test('runs different keys concurrently', () => {
  const { work, started } = controlled();
  work.run('a');
  work.run('b');
  expect(started).toEqual(['a', 'b']);
});

test('reports a failure once and runs again on retry until it succeeds', async () => {
  const { work, started, errors, settle } = controlled();
  const failure = new Error('not now');
  work.run('a');
  await settle(failure);
  work.retry();
  await settle(new Error('not yet'));
  expect(errors).toEqual([failure]);
  work.retry();
  await settle();
  work.retry();
  expect(started).toEqual(['a', 'a', 'a']);
});
