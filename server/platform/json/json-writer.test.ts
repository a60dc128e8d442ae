import { expect, test } from 'vitest';
import { writeJson } from './json-writer.ts';

const writeToText = async (value: unknown): Promise<string> =>
  (await Array.fromAsync(writeJson(value))).join('');
async function* toAsyncIterable(...items: unknown[]) {
  yield* items;
}

test('writes plain values as valid JSON', async () => {
  for (const value of [null, 5, 'a "quote"\n\u2028', [], {}, { a: [1, { b: null }] }]) {
    expect(JSON.parse(await writeToText(value))).toEqual(value);
  }
});

test('writes async iterables as arrays, including nested ones', async () => {
  const text = await writeToText({
    name: 'Ann',
    none: toAsyncIterable(),
    chats: toAsyncIterable(
      { id: 1, texts: toAsyncIterable('a', { b: 'c' }) },
      { id: 2, texts: toAsyncIterable() },
    ),
  });
  expect(JSON.parse(text)).toEqual({
    name: 'Ann',
    none: [],
    chats: [
      { id: 1, texts: ['a', { b: 'c' }] },
      { id: 2, texts: [] },
    ],
  });
});

test('reads an async iterable only as fast as the output is consumed', async () => {
  let itemsRead = 0;
  const endless = async function* () {
    for (;;) {
      itemsRead += 1;
      yield itemsRead;
    }
  };
  const pieces = writeJson({ numbers: endless() });
  for (let taken = 0; taken < 10; taken += 1) await pieces.next();
  expect(itemsRead).toBeLessThan(10);
  await pieces.return(undefined);
});

test('rethrows the error of an async iterable', async () => {
  const failing = async function* () {
    yield 1;
    throw new Error('The database is away');
  };
  await expect(writeToText({ numbers: failing() })).rejects.toThrow('The database is away');
});
