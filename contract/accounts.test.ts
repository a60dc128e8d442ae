import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailSchema, lowerCaseAscii } from './accounts.ts';

describe('an address', () => {
  test.each([
    [' Tommy.Trojan@USC.edu ', 'tommy.trojan@usc.edu'],
    ["O'Brien+desk@Sub.Example.COM", "o'brien+desk@sub.example.com"],
  ])('%j is trimmed and lower-cased to %j', (typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  // Each of these becomes an ASCII letter, or begins with one, when it is lower-cased or upper-cased.
  test.each([
    ['U+212A KELVIN SIGN', '\u212A'],
    ['U+0130 CAPITAL I WITH DOT', '\u0130'],
    ['U+017F LONG S', '\u017F'],
    ['U+FF21 FULLWIDTH A', '\uFF21'],
  ])('with %s is refused instead of becoming another address', (_name, email) => {
    for (const typed of [`${email}im@usc.edu`, `kim@us${email}.edu`]) {
      expect(emailSchema.safeParse(typed).success).toBe(false);
    }
  });

  test('is accepted only when every typed character is ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), (inserted) => {
        const typed = `a${inserted}b@usc.edu`;
        const { success } = emailSchema.safeParse(typed);
        expect(success && /[^\x21-\x7e]/.test(typed)).toBe(false);
      }),
    );
  });
});

test('lowerCaseAscii changes only the letters A to Z', () => {
  expect(lowerCaseAscii('AZaz \u212A \u0130 É')).toBe('azaz \u212A \u0130 É');
});
