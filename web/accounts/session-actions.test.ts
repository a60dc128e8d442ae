import { expect, test } from 'vitest';
import { createUnavailableError, toApiError } from '#web/lib/api-error.ts';
import { toActionError } from './session-actions.ts';

test('keeps the message, code and fields of an error response', () => {
  const fields = { email: 'Please enter a valid email address.' };
  const refusal = toApiError(400, { error: fields.email, code: 'validation_failed', fields });
  expect(toActionError(refusal)).toEqual({ message: fields.email, code: 'validation_failed', fields });
});

test.each([[createUnavailableError()], [undefined], ['text']])(
  'converts %j to the error `unavailable`',
  (thrown) => {
    expect(toActionError(thrown)).toMatchObject({
      message: 'Service unavailable, please retry shortly.',
      code: 'unavailable',
    });
  },
);

test('keeps the message of any other Error object, with the code `unavailable` (specification §8)', () => {
  expect(toActionError(new TypeError('Failed to fetch'))).toMatchObject({
    message: 'Failed to fetch',
    code: 'unavailable',
  });
});
