import { expect, test } from 'vitest';
import { errorOf, unreachable } from '#web/lib/api-error.ts';
import { actionError } from './session-actions.ts';

test('keeps message, code and fields of a refusal', () => {
  const fields = { email: 'Please enter a valid email address.' };
  const refusal = errorOf(400, { error: fields.email, code: 'validation_failed', fields });
  expect(actionError(refusal)).toEqual({ message: fields.email, code: 'validation_failed', fields });
});

test.each([[unreachable()], [undefined], ['text']])('returns unavailable for %j', (thrown) => {
  expect(actionError(thrown)).toMatchObject({
    message: 'Service unavailable, please retry shortly.',
    code: 'unavailable',
  });
});

test('keeps the message of any other failure (§8)', () => {
  expect(actionError(new TypeError('Failed to fetch'))).toMatchObject({
    message: 'Failed to fetch',
    code: 'unavailable',
  });
});
