import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountErrorMessages,
  changePasswordFormSchema,
  createSignupFormSchema,
  emailSchema,
  newPasswordSchema,
  oneTimeCodeSchema,
  recoveryCodeSchema,
  resetPasswordFormSchema,
  toAsciiLowerCase,
} from './accounts.ts';
import { defaultCampus } from './campus.ts';
import { toFieldErrors } from './errors.ts';

describe('an email address', () => {
  test.each([
    [' Tommy.Trojan@USC.edu ', 'tommy.trojan@usc.edu'],
    ["O'Brien+desk@Sub.Example.COM", "o'brien+desk@sub.example.com"],
  ])('%j is trimmed and lower-cased to %j', (typed, stored) => {
    expect(emailSchema.parse(typed)).toBe(stored);
  });

  // Each of these characters becomes an ASCII letter, or text that begins with one, when it is lower-cased,
  // upper-cased or normalized (NFKC). An address with such a character could therefore turn into another
  // person's address.
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
  expect(toAsciiLowerCase('AZaz \u212A \u0130 É')).toBe('azaz \u212A \u0130 É');
});

test('normalizing a stored email address again does not change it', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      const { data } = emailSchema.safeParse(` ${email}\n`);
      if (data !== undefined) expect(emailSchema.parse(data)).toBe(data);
    }),
  );
});

test.each([
  ['sam@usc', false],
  ['sam@usc..edu', false],
  ['.sam@usc.edu', false],
  ['sam.@usc.edu', false],
  ['sam@-usc.edu', false],
  ['sam smith@usc.edu', false],
  ['"sam"@usc.edu', false],
  ['sam@usc.edu@usc.edu', false],
  [`${'a'.repeat(246)}@usc.edu`, true],
  [`${'a'.repeat(247)}@usc.edu`, false],
])('%s is a valid email address: %s', (typed, accepted) => {
  expect(emailSchema.safeParse(typed).success).toBe(accepted);
});

test.each([
  ['cardina1', undefined],
  ['cardin1', accountErrorMessages.passwordShort],
  ['12345678', accountErrorMessages.passwordKinds],
  ['cardinal', accountErrorMessages.passwordKinds],
  ['пароль12', undefined],
  ['pass ٣٤٥٦', undefined],
  [`1${'a'.repeat(199)}`, undefined],
  [`1${'a'.repeat(200)}`, accountErrorMessages.passwordLong],
  [null, accountErrorMessages.passwordShort],
])('a new password %j: %s', (password, sentence) => {
  expect(newPasswordSchema.safeParse(password).error?.issues[0]?.message).toBe(sentence);
});

test.each([
  [' 012345 ', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
  ['١٢٣٤٥٦', false],
  [123456, false],
])('validating the one-time code %j returns %s', (code, isValid) => {
  expect(oneTimeCodeSchema.safeParse(code).success).toBe(isValid);
});

test('the forms that set a password compare password and confirmation even when other fields are invalid', () => {
  const { error } = createSignupFormSchema(defaultCampus).safeParse({
    password: 'cardinal-1',
    confirmPassword: 'x',
  });
  expect(error && toFieldErrors(error)).toMatchObject({
    email: accountErrorMessages.email,
    terms: accountErrorMessages.terms,
    confirmPassword: accountErrorMessages.passwordsDiffer,
  });
  const both = { password: 'cardinal-1', confirmPassword: 'cardinal-1' };
  for (const schema of [resetPasswordFormSchema, changePasswordFormSchema]) {
    expect(schema.safeParse(both).success).toBe(true);
    expect(schema.safeParse({ ...both, confirmPassword: 'cardinal-2' }).success).toBe(false);
  }
});

/** Ways in which emails, apps, clipboards and keyboards write a code. */
const writtenForms: [name: string, write: (code: string) => string][] = [
  ['a space', (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['a hyphen', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ['a non-breaking hyphen', (code) => `${code.slice(0, 3)}\u2011${code.slice(3)}`],
  ['a no-break space', (code) => `\u00A0${code.slice(0, 3)}\u00A0${code.slice(3)}\n`],
  ['a narrow no-break space', (code) => `${code.slice(0, 3)}\u202F${code.slice(3)}`],
  ['a zero-width space', (code) => `${code}\u200B`],
  [
    'full-width characters',
    (code) => code.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  ],
];

describe.each(writtenForms)('a code with %s', (_, write) => {
  test('is accepted as a code of six digits', () => {
    expect(oneTimeCodeSchema.parse(write('012345'))).toBe('012345');
  });

  test('is accepted as a recovery code', () => {
    const { code } = recoveryCodeSchema.parse({ code: write('ABCD-efgh-2345-jkmn') });
    expect(code).toBe('abcdefgh2345jkmn');
  });
});

test('a code of five or seven digits, and a very long text, are refused', () => {
  for (const typed of ['12 345', '123 4567', `123456${' '.repeat(100)}`])
    expect(oneTimeCodeSchema.safeParse(typed).success).toBe(false);
  expect(recoveryCodeSchema.safeParse({ code: ' - ' }).success).toBe(false);
});
