import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countCharacters,
  createParagraphSchema,
  createSingleLineTextSchema,
  createStorableTextSchema,
  idSchema,
  instantSchema,
  pictographPattern,
} from './text.ts';

const lengthBounds = {
  required: 'missing',
  min: { length: 2, sentence: 'short' },
  max: { length: 5, sentence: 'long' },
};
const boundsWithoutMinimum = { required: 'missing', max: { length: 1000, sentence: 'long' } };
const forbiddenCharactersMessage = 'This text contains characters that cannot be used';

/** Generates text that contains many of the characters which normalization changes. */
const textArbitrary = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\t', '\n', '\r', '\r\n', '\u0085', '\u2028', '\u00A0', '\u2800', '\uFEFF'),
      fc.constantFrom('\u200B', '\u200D', '\u200C', '\u202E', '\uFE0F', '\u0000', '\u001B', '\uD83D'),
      fc.constantFrom('a', 'é', 'e\u0301', '王', '👩', '👩‍🚀', 'می', '\uFB2C', '\u09AC', '\u212B'),
      fc.constantFrom(
        '\u0301',
        '\u0323',
        '\u064E',
        '\u09BC',
        '\u0E49',
        '\u05B0',
        '\u034F',
        '\u0301'.repeat(7),
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

const findErrorMessage = (
  schema: ReturnType<typeof createSingleLineTextSchema>,
  value: unknown,
): string | undefined => schema.safeParse(value).error?.issues[0]?.message;

describe('single-line text', () => {
  test.each([
    ['  desk \t lamp ', 'desk lamp'],
    ['desk\r\nlamp', 'desk lamp'],
    ['desk\u0085\u2028lamp', 'desk lamp'],
    ['de\u200Bsk\uFEFF', 'desk'],
    ['\u202Edesk', 'desk'],
    ['desk\u2800lamp', 'desk lamp'],
  ])('%j is stored as %j', (typed, stored) =>
    expect(createSingleLineTextSchema(boundsWithoutMinimum).parse(typed)).toBe(stored),
  );

  test.each([
    [' a ', 'short'],
    ['ab', undefined],
    ['a  b  c', undefined],
    ['👩👩👩👩👩', undefined],
    ['abcdef', 'long'],
    ['ab\u0007', forbiddenCharactersMessage],
    ['ab\u0000', forbiddenCharactersMessage],
    [5, 'missing'],
    [null, 'missing'],
    [undefined, 'missing'],
  ])('%j gets the error %s', (typed, sentence) =>
    expect(findErrorMessage(createSingleLineTextSchema(lengthBounds), typed)).toBe(sentence),
  );

  test('is stored without runs of white space, and storing it again changes nothing', () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        const { data } = createSingleLineTextSchema(boundsWithoutMinimum).safeParse(text);
        if (data === undefined) return;
        expect(data).not.toMatch(/^\s|\s$|\s\s|[\t\n\r\u0085\u2028\u2029]/);
        expect(createSingleLineTextSchema(boundsWithoutMinimum).parse(data)).toBe(data);
      }),
    );
  });
});

describe('multi-line text', () => {
  test.each([
    ['\n one\r\ntwo\rthree \n', 'one\ntwo\nthree'],
    ['one\u2028two\u2029three\u0085four', 'one\ntwo\nthree\nfour'],
    ['one  two\n\n\nthree', 'one  two\n\n\nthree'],
  ])('%j is stored as %j', (typed, stored) =>
    expect(createParagraphSchema(boundsWithoutMinimum).parse(typed)).toBe(stored),
  );

  test('has \\n as its only line break, and storing it again changes nothing', () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        const { data } = createParagraphSchema(boundsWithoutMinimum).safeParse(text);
        if (data === undefined) return;
        expect(data).not.toMatch(/[\r\u0085\u2028\u2029]/);
        expect(data).toBe(data.trim());
        expect(createParagraphSchema(boundsWithoutMinimum).parse(data)).toBe(data);
      }),
    );
  });
});

describe('the characters of every text', () => {
  const schemas = [
    createSingleLineTextSchema(boundsWithoutMinimum),
    createParagraphSchema(boundsWithoutMinimum),
    createStorableTextSchema('wrong', 1000),
  ];

  test.each([
    ['POA\u0308NG', 'POÄNG'],
    ['de\u0301cor', 'décor'],
    ['e\u034F\u0301', 'é'],
    ['\u1112\u1161\u11AB\u1100\u1173\u11AF', '한글'],
    ['5 \u212B', '5 Å'],
    ['①ﬁ½Ａ', '①ﬁ½Ａ'],
  ])('%j is stored as %j, composed and otherwise as typed', (typed, stored) => {
    for (const schema of schemas) expect(schema.parse(typed)).toBe(stored);
  });

  test.each([
    ['Latin', 'Z\u030D\u0321\u0334\u0300\u0315\u0361\u0300\u0300\u0300algo', 12],
    ['Thai', `ส${'\u0E49'.repeat(100)}วย`, 9],
    ['Arabic, with joiners between the marks', `ب${'\u064E\u200D'.repeat(100)}ب`, 14],
    ['enclosing', `a${'\u20DD'.repeat(100)}`, 7],
  ])('a stack of %s marks keeps six', (_what, typed, longest) => {
    for (const schema of schemas) {
      const stored = schema.parse(typed);
      expect(stored.match(/\p{M}/gu)?.length).toBe(6);
      expect(countCharacters(stored)).toBeLessThanOrEqual(longest);
    }
  });

  test.each(['שֹּׁ֑ל', 'မြွှေးကြောင်း', 'བསྒྲུབས', 'Tiếng Việt', 'ที่นั่ง', 'مُحَمَّد', 'हिन्दी', 'க்ஷௌ'])(
    '%s keeps all its marks',
    (text) => {
      for (const schema of schemas) expect(schema.parse(text)).toBe(text.normalize('NFC'));
    },
  );

  test('are in NFC, with at most six marks on a letter, and storing them again changes nothing', () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        for (const schema of schemas) {
          const { data } = schema.safeParse(text);
          if (data === undefined) continue;
          expect(data.normalize('NFC')).toBe(data);
          expect(data).not.toMatch(/\p{M}(?:[\u200C\u200D]?\p{M}){6}/u);
          expect(schema.parse(data)).toBe(data);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('no text is accepted that PostgreSQL cannot store', () => {
  fc.assert(
    fc.property(textArbitrary, (text) => {
      for (const schema of [
        createSingleLineTextSchema(boundsWithoutMinimum),
        createParagraphSchema(boundsWithoutMinimum),
        createStorableTextSchema('wrong', 1000),
      ]) {
        const { data = '' } = schema.safeParse(text);
        expect(data).not.toContain('\u0000');
        expect(data.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('storable text has at most the given length, after trimming', () => {
  const schema = createStorableTextSchema('wrong', 3);
  expect(schema.parse(' abc ')).toBe('abc');
  for (const wrong of ['abcd', 5, null]) {
    expect(schema.safeParse(wrong).error?.issues[0]?.message).toBe('wrong');
  }
  fc.assert(
    fc.property(textArbitrary, (text) => {
      const { data } = schema.safeParse(text);
      if (data !== undefined) expect(schema.parse(data)).toBe(data);
    }),
  );
});

test.each([
  ['', 0],
  ['desk', 4],
  ['👩', 1],
  ['e\u0301', 2],
])('%j counts as %i characters', (text, length) => expect(countCharacters(text)).toBe(length));

test.each(['🪑', '✓', '☑', '√', '🗸', '🗹', '🮱', 'ⓥ', '🅥', '🏻', '🇺🇸', '5️⃣', '❤'])(
  '%s is an emoji or check mark',
  (text) => expect(text).toMatch(pictographPattern),
);
test.each(['© 2024 Acme™', 'A&B #5 *', '王', '10 %', '100° ½ • →'])(
  '%s contains no emoji or check mark',
  (text) => expect(text).not.toMatch(pictographPattern),
);

test('an id is a UUID of any case and is stored in lower case', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(idSchema.parse(id.toUpperCase())).toBe(id);
    }),
  );
  for (const wrong of ['', 'abc', '{00000000-0000-4000-8000-000000000000}', 5]) {
    expect(idSchema.safeParse(wrong).success).toBe(false);
  }
});

test('every JavaScript date between the years 1 and 9999 is accepted as an instant', () => {
  const range = {
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  };
  fc.assert(
    fc.property(fc.date(range), (date) => {
      expect(instantSchema.parse(date.toISOString())).toBe(date.toISOString());
    }),
  );
  for (const wrong of ['2024-02-30T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00+01:00', 'now']) {
    expect(instantSchema.safeParse(wrong).success).toBe(false);
  }
});
