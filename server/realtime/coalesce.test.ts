import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

const controlled = () => {
  const finish: ((error?: Error) => void)[] = [];
  const begun: string[] = [];
  const errors: unknown[] = [];
  const work = coalesce(
    (key) => {
      begun.push(key);
      return new Promise((done, fail) => finish.push((error) => (error ? fail(error) : done())));
    },
    (error) => errors.push(error),
  );
  const settle = async (error?: Error) => {
    finish.shift()?.(error);
    await new Promise((done) => setImmediate(done));
  };
  return { work, begun, errors, settle };
};

test('asked during a run, however often, it runs once more', async () => {
  const { work, begun, settle } = controlled();
  for (let times = 0; times < 5; times += 1) work.run('a');
  expect(begun).toEqual(['a']);
  await settle();
  expect(begun).toEqual(['a', 'a']);
  await settle();
  await work.settled();
  expect(begun).toEqual(['a', 'a']);
  work.run('a');
  expect(begun).toEqual(['a', 'a', 'a']);
});

test('keys do not wait for one another', () => {
  const { work, begun } = controlled();
  work.run('a');
  work.run('b');
  expect(begun).toEqual(['a', 'b']);
});

test('what failed is reported once, and runs again when it is retried, until it succeeds', async () => {
  const { work, begun, errors, settle } = controlled();
  const failure = new Error('not now');
  work.run('a');
  await settle(failure);
  work.retry();
  await settle(new Error('not yet'));
  expect(errors).toEqual([failure]);
  work.retry();
  await settle();
  work.retry();
  expect(begun).toEqual(['a', 'a', 'a']);
});
