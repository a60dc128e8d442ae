import { expect, test } from 'vitest';
import { writeJson } from './json-writer.ts';

const written = async (value: unknown): Promise<string> => (await Array.fromAsync(writeJson(value))).join('');
async function* gradually(...items: unknown[]) {
  yield* items;
}

test('plain values are written as JSON writes them', async () => {
  for (const value of [null, 5, 'a "quote"\n\u2028', [], {}, { a: [1, { b: null }] }]) {
    expect(JSON.parse(await written(value))).toEqual(value);
  }
});

test('what comes bit by bit becomes an array, also inside another', async () => {
  const text = await written({
    name: 'Ann',
    none: gradually(),
    talks: gradually({ id: 1, said: gradually('a', { b: 'c' }) }, { id: 2, said: gradually() }),
  });
  expect(JSON.parse(text)).toEqual({
    name: 'Ann',
    none: [],
    talks: [
      { id: 1, said: ['a', { b: 'c' }] },
      { id: 2, said: [] },
    ],
  });
});

test('it reads no further than it is read', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 1;
      yield read;
    }
  };
  const pieces = writeJson({ numbers: endless() });
  for (let taken = 0; taken < 10; taken += 1) await pieces.next();
  expect(read).toBeLessThan(10);
  await pieces.return(undefined);
});

test('a failure in between is the writer’s own', async () => {
  const failing = async function* () {
    yield 1;
    throw new Error('The database is away');
  };
  await expect(written({ numbers: failing() })).rejects.toThrow('The database is away');
});
