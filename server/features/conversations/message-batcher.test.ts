import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBatcher } from './message-batcher.ts';
import type { MessageRow, NewMessage } from './message-repository.ts';

/** Returns a new conversation id. All ids that this function returns belong to the same lane. */
const createConversationId = () => randomUUID().replace(/..$/, '00');

const createMessage = (text: string, id = createConversationId()): NewMessage => ({
  id,
  userId: randomUUID(),
  clientId: randomUUID(),
  text,
});

const toRow = ({ id, text }: NewMessage) => ({ conversation_id: id, message_text: text }) as MessageRow;

/**
 * Returns a function that stores messages in batches, and the list of these batches. `finishBatch` completes the oldest
 * batch that is still running.
 */
const startStoring = (finish = (batch: readonly NewMessage[]) => batch.map(toRow)) => {
  const batches: string[][] = [];
  const running: (() => void)[] = [];
  const { store } = createBatcher((batch) => {
    batches.push(batch.map(({ text }) => text));
    return new Promise((resolve, reject) => {
      running.push(() => {
        try {
          resolve(new Map(finish(batch).map((row) => [row.conversation_id, row])));
        } catch (error) {
          reject(error);
        }
      });
    });
  });
  const finishBatch = async () => {
    await expect.poll(() => running).not.toEqual([]);
    running.shift()?.();
  };
  return { store, batches, finishBatch };
};

test('stores the first message at once, and later ones in batches with one message per conversation', async () => {
  const { store, batches, finishBatch } = startStoring();
  const busyId = createConversationId();
  const texts = Promise.all(
    [
      createMessage('a'),
      createMessage('b', busyId),
      createMessage('c', busyId),
      createMessage('d'),
      createMessage('e', busyId),
    ].map(async (message) => (await store(message))?.message_text),
  );
  expect(batches).toEqual([['a']]);
  for (let batch = 0; batch < 4; batch += 1) await finishBatch();
  expect(await texts).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(batches).toEqual([['a'], ['b', 'd'], ['c'], ['e']]);
});

test('a running statement does not delay conversations that are assigned to another lane', async () => {
  const { store, batches } = startStoring();
  void store(createMessage('a', randomUUID().replace(/..$/, '00')));
  void store(createMessage('b', randomUUID().replace(/..$/, '01')));
  expect(batches).toEqual([['a'], ['b']]);
});

test('a message that makes the batch fail does not prevent the other messages from being stored', async () => {
  const { store, batches, finishBatch } = startStoring((batch) => {
    if (batch.some(({ text }) => text === 'bad')) throw new Error('not stored');
    return batch.map(toRow);
  });
  const results = Promise.allSettled(['a', 'b', 'bad', 'c'].map((text) => store(createMessage(text))));
  for (let batch = 0; batch < 5; batch += 1) await finishBatch();
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(batches).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});

test('a message that the database statement does not store resolves to undefined', async () => {
  const { store, finishBatch } = startStoring(() => []);
  const stored = store(createMessage('a'));
  await finishBatch();
  expect(await stored).toBeUndefined();
});

test('while the database is unavailable, queued messages fail; once it is back, new messages are stored', async () => {
  let isDown = true;
  const { store, batches, finishBatch } = startStoring((batch) => {
    if (isDown) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    return batch.map(toRow);
  });
  const results = Promise.allSettled(['a', 'b', 'c'].map((text) => store(createMessage(text))));
  await finishBatch();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isDown = false;
  const later = store(createMessage('d'));
  await finishBatch();
  expect((await later)?.message_text).toBe('d');
  expect(batches).toEqual([['a'], ['d']]);
});
