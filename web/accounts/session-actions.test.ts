import { expect, test } from 'vitest';
import { errorOf, unreachable } from '#web/lib/api-error.ts';
import { actionError } from './session-actions.ts';

test('a refusal of the server keeps its sentence, its code and its fields', () => {
  const fields = { email: 'Please enter a valid email address.' };
  const refusal = errorOf(400, { error: fields.email, code: 'validation_failed', fields });
  expect(actionError(refusal)).toEqual({ message: fields.email, code: 'validation_failed', fields });
});

test.each([[unreachable()], [undefined], ['text']])('%j is unavailability, not an exception', (thrown) => {
  expect(actionError(thrown)).toMatchObject({
    message: 'Service unavailable, please retry shortly.',
    code: 'unavailable',
  });
});

test('any other failure keeps its message (§8: transport errors surface with theirs)', () => {
  expect(actionError(new TypeError('Failed to fetch'))).toMatchObject({
    message: 'Failed to fetch',
    code: 'unavailable',
  });
});
