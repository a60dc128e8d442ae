import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeInvisibleCharacters } from './invisible-characters.ts';

const directionCodePoints = [
  0x061c,
  0x200e,
  0x200f,
  ...createRange(0x202a, 0x202e),
  ...createRange(0x2066, 0x2069),
];
const invisibleCodePoints = [
  ...directionCodePoints,
  ...[0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x3164, 0xfeff, 0xffa0, 0x1d159],
  ...createRange(0x0080, 0x0084),
  ...createRange(0x2060, 0x206f),
  ...createRange(0xfff9, 0xfffc),
  ...createRange(0xe0001, 0xe007f),
];

function createRange(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
const formatCodePoint = (codePoint: number) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

test('promise 54: every invisible or direction-changing character is removed, alone and inside a word', () => {
  for (const codePoint of invisibleCodePoints) {
    const character = String.fromCodePoint(codePoint);
    expect(removeInvisibleCharacters(character), formatCodePoint(codePoint)).toBe('');
    expect(removeInvisibleCharacters(`de${character}sk`), formatCodePoint(codePoint)).toBe('desk');
  }
});

describe('promise 54: characters that render as nothing are removed', () => {
  test.each([
    ['joiners between Latin letters', 'de\u200Csk\u200D', 'desk'],
    ['a variation selector after a letter', 'desk\uFE0F\uFE0E', 'desk'],
    ['repeated variation selectors', '❤\uFE0F\uFE0F\uFE0F', '❤\uFE0F'],
    ['supplementary variation selectors', 'a\u{E0100}\u{E01EF}b', 'ab'],
    ['a joiner after an emoji that joins nothing', '🪑\u200D', '🪑'],
    ['repeated joiners', '👩\u200D\u200D🚀', '👩🚀'],
    ['letters in tag characters after a flag', '🏴\u{E0068}\u{E0069}\u{E007F}', '🏴'],
    ['a joiner before a Persian letter', '\u200Cمی', 'می'],
    ['half of a surrogate pair', 'a\uD83D b\uDE00', 'a b'],
  ])('%s', (_what, text, expected) => {
    expect(removeInvisibleCharacters(text)).toBe(expected);
  });

  test('a Braille cell without dots becomes a space', () => {
    expect(removeInvisibleCharacters('a\u2800b')).toBe('a b');
  });
});

describe('visible text stays unchanged', () => {
  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['an astronaut with a skin tone', '👩🏽‍🚀'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['a heart on fire', '❤️‍🔥'],
    ['a shrug with a skin tone', '🤷🏽‍♀️'],
    ['an eye in a speech bubble', '👁️‍🗨️'],
    ['a keycap', '5️⃣ #️⃣'],
    ['a national flag', '🇺🇸'],
    ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a text-style heart', '❤︎'],
    ['Persian with its non-joiner', 'می‌خواهم این میز را بخرم'],
    ['a Persian abbreviation', 'سال ۱۴۰۳ ه‍.ش.'],
    ['Hindi with joiners', 'क्‍ष और क्‌ष'],
    ['Malayalam with a joiner', 'നന്‍മ'],
    ['Hebrew', 'שלום, עולם'],
    ['Arabic with vowel marks', 'مُحَمَّد'],
    ['decomposed accents', 'Jose\u0301'],
    ['Korean, Chinese, Japanese', '김민수 王小明 山田'],
    ['lines and tabs', 'one\r\n\ttwo\n'],
    ['signs', '10 % off · 5″ × 7″ © 2024 ™ €5'],
  ])('%s', (_what, text) => {
    expect(removeInvisibleCharacters(text)).toBe(text);
  });
});

// Generates text from the characters that a faulty implementation would most likely remove, or keep, by
// mistake.
const textFragmentArbitrary = fc.oneof(
  fc.constantFrom('a', '5', ' ', '\n', '👩', '❤', '🏴', '🏽', '🇺', 'ع', 'क', '्', '王', '\u20E3', '#'),
  fc.constantFrom('\u200C', '\u200D', '\uFE0F', '\uFE0E', '\u200B', '\u202E', '\u{E0067}', '\u{E007F}'),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const arbitraryText = fc.array(textFragmentArbitrary, { maxLength: 20 }).map((parts) => parts.join(''));

describe('promise 54: for every text', () => {
  test('removing invisible characters a second time changes nothing', () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        const once = removeInvisibleCharacters(text);
        expect(removeInvisibleCharacters(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test('no direction control, zero-width space, byte order mark or soft hyphen remains', () => {
    const never = new RegExp(
      `[${directionCodePoints.map((it) => `\\u{${it.toString(16)}}`).join('')}\\u200B\\uFEFF\\u00AD]`,
      'u',
    );
    fc.assert(
      fc.property(arbitraryText, (text) => {
        expect(removeInvisibleCharacters(text)).not.toMatch(never);
      }),
      { numRuns: 2000 },
    );
  });

  test('a joiner next to an invisible Khmer vowel is removed', () => {
    expect(removeInvisibleCharacters('\u17B5\u200D')).toBe('');
  });

  test('text with only invisible characters becomes empty', () => {
    const characters = [...invisibleCodePoints, 0x17b4, 0x17b5, 0x180e, 0x200c, 0x200d, 0xfe0e, 0xfe0f].map(
      (it) => String.fromCodePoint(it),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...characters)), (parts) => {
        expect(removeInvisibleCharacters(parts.join(''))).toBe('');
      }),
    );
  });

  test('ordinary characters stay in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite' }), (text) => {
        const plain = text.normalize('NFC');
        const seen = (it: string) =>
          it
            .replaceAll('\u2800', ' ')
            .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFC\u{1D159}]/gu, '');
        expect(seen(removeInvisibleCharacters(plain))).toBe(seen(plain));
      }),
    );
  });
});
