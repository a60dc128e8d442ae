import { expect, test } from 'vitest';
import { z } from 'zod';
import { toFieldErrors } from './field-errors.ts';

const schema = z.object({
  title: z.string().min(3, 'too short').regex(/^\w+$/, 'not a word'),
  photos: z.array(z.string('not a text')),
});
const errorOf = (value: unknown): z.ZodError => {
  const { error } = schema.safeParse(value);
  if (!error) throw new Error('the value is valid');
  return error;
};

test('returns the first message of each field by its dotted path', () => {
  expect(toFieldErrors(errorOf({ title: '?', photos: ['a', 1] }))).toEqual({
    title: 'too short',
    'photos.1': 'not a text',
  });
});

test('names fields with the given function', () => {
  const error = errorOf({ title: 'desk', photos: [1, 2] });
  expect(toFieldErrors(error, ([field]) => String(field))).toEqual({ photos: 'not a text' });
});

test('uses an empty name for an error about the whole value', () => {
  expect(Object.keys(toFieldErrors(errorOf('text')))).toEqual(['']);
});
