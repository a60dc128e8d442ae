import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultCampus } from './campus.ts';
import {
  createFieldProblem,
  createProblem,
  type ErrorCode,
  errorCatalog,
  formatErrorMessage,
  formatProblemMessage,
  Problem,
  toFieldErrors,
} from './errors.ts';

const codes = Object.keys(errorCatalog) as ErrorCode[];
const campus = { ...defaultCampus, domain: 'campus.example', supportEmail: 'help@campus.example' };

describe('the error catalog', () => {
  test.each(codes)('%s has an error status and a message for people', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(errorCatalog[code].status).toBeGreaterThanOrEqual(400);
    expect(errorCatalog[code].status).toBeLessThan(600);
    expect(formatErrorMessage(code, campus)).toMatch(/^\S.*\S$/);
    expect(formatErrorMessage(code, campus)).not.toMatch(/undefined|\[object|=>|usc\.edu/);
  });

  test('contains the support address and the domain of the campus', () => {
    expect(formatErrorMessage('campus_address_required', campus)).toContain('@campus.example');
    expect(formatErrorMessage('account_suspended', campus)).toContain('help@campus.example');
  });
});

describe('the sentence of a problem', () => {
  test("is the problem's own message if it has one, otherwise the message from the error catalog", () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.option(fc.string({ minLength: 1 })), (code, own) => {
        const sentence = own ?? undefined;
        const expected = sentence ?? formatErrorMessage(code, campus);
        expect(formatProblemMessage(createProblem(code, { sentence }), campus)).toBe(expected);
      }),
    );
  });

  test('states when a rate limit ends, if that is known', () => {
    expect(formatProblemMessage(createProblem('rate_limited', { retryAfter: 690 }), campus)).toContain(
      'in 12 minutes',
    );
    expect(formatProblemMessage(createProblem('rate_limited'), campus)).toBe(
      errorCatalog.rate_limited.sentence,
    );
  });

  test('is the message of the first field when fields are invalid', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1 })), (fields) => {
        const refused = createFieldProblem(fields);
        expect(refused).toBeInstanceOf(Problem);
        expect([refused.code, refused.fields]).toEqual(['validation_failed', fields]);
        const [first = errorCatalog.validation_failed.sentence] = Object.values(fields);
        expect(formatProblemMessage(refused, campus)).toBe(first);
      }),
    );
  });
});

describe('field errors', () => {
  const schema = z.object({
    title: z.string().min(3, 'too short').regex(/^\w+$/, 'not a word'),
    photos: z.array(z.string('not a text')),
  });
  const zodErrorOf = (value: unknown): z.ZodError => {
    const { error } = schema.safeParse(value);
    if (!error) throw new Error('the value is valid');
    return error;
  };

  test('returns the first message of each field by its dotted path', () => {
    expect(toFieldErrors(zodErrorOf({ title: '?', photos: ['a', 1] }))).toEqual({
      title: 'too short',
      'photos.1': 'not a text',
    });
  });

  test('names fields with the given function', () => {
    const error = zodErrorOf({ title: 'desk', photos: [1, 2] });
    expect(toFieldErrors(error, ([field]) => String(field))).toEqual({ photos: 'not a text' });
  });

  test('uses an empty name for an error about the whole value', () => {
    expect(Object.keys(toFieldErrors(zodErrorOf('text')))).toEqual(['']);
  });
});
