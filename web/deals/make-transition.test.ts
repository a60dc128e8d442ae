import { expect, test } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { createUnavailableError } from '#web/lib/api-error.ts';
import { sendWithClientId } from './make-transition.ts';

test('reuses the client id if an attempt got no response, and uses a new id after a success', async () => {
  const ids: string[] = [];
  const fail = (failure: Error) => (id: string) => {
    ids.push(id);
    return Promise.reject(failure);
  };
  const succeed = (id: string) => Promise.resolve(ids.push(id));
  await expect(sendWithClientId('accept', fail(createUnavailableError()))).rejects.toThrow();
  await expect(sendWithClientId('decline', fail(createUnavailableError()))).rejects.toThrow();
  await sendWithClientId('accept', succeed);
  expect(ids[2]).toBe(ids[0]);
  expect(ids[1]).not.toBe(ids[0]);

  await sendWithClientId('accept', succeed);
  expect(ids[3]).not.toBe(ids[2]);
});

test('uses a new client id after the server refused an attempt', async () => {
  const ids: string[] = [];
  const refusal = new ApiError(409, { error: 'The deal has changed.', code: 'conversation_not_found' });
  const refuse = (id: string) => {
    ids.push(id);
    return Promise.reject(refusal);
  };
  await expect(sendWithClientId('cancel', refuse)).rejects.toBe(refusal);
  await expect(sendWithClientId('cancel', refuse)).rejects.toBe(refusal);
  expect(ids[1]).not.toBe(ids[0]);
});
