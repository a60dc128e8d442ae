import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextMatcher, foldText, listJointVariants } from './search-text.ts';

const isFound = (text: string, q: string): boolean => createTextMatcher(foldText(q))(foldText(text));

describe('texts are folded', () => {
  test.each([
    ['case', 'POÄNG', 'poang'],
    ['accents', 'Résumé, décor', 'resume, decor'],
    ['decomposed accents', 'de\u0301cor', 'decor'],
    [
      'letters that have no accent but are typed without',
      'Smørrebrød Łódź Đồ ıßæœþ',
      'smorrebrod lodz do issaeoeth',
    ],
    ['quotes', '‘men’s’ “x” 15″ it´s', "'men's' \"x\" 15\" it's"],
    ['hyphens and dashes', 'Wi‑Fi – new — e‐bike', 'wi-fi - new - e-bike'],
    ['width', 'ＰＳ５　ｶﾒﾗ', 'ps5 カメラ'],
    ['ligatures and styled letters', 'ﬁnal 𝐃𝐞𝐬𝐤 ™', 'final desk tm'],
    ['vowel points', 'שָׁלוֹם مَرْحَبًا', 'שלום مرحبا'],
    ['irregular capitals', 'İ ΔΓΣ ς STRAẞE K', 'i δγσ σ strasse k'],
  ])('%s', (_, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test('so that a text contains every part of it, and folding again changes nothing', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).map((it) => it.normalize('NFC'));
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        expect(foldText(before + part + after)).toContain(foldText(part));
        expect(foldText(foldText(part))).toBe(foldText(part));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a search finds texts with one joint more, fewer or another', () => {
  test.each([
    ['airpods', 'Air Pods, second generation'],
    ['air pods', 'AirPods, second generation'],
    ['ebike', 'Red E-bike'],
    ['e bike', 'Red e-bike'],
    ['e-bike', 'Red ebike'],
    ['e-bike', 'A red e bike.'],
    ['wifi router', 'Fast Wi‑Fi router'],
    ['wi-fi rout', 'Fast wi-fi router'],
    ['wifi rout', 'Fast wi-fi router'],
    ['mens jacket', 'Men’s jacket'],
    ['ps5', 'New PS 5!'],
    ["levi's", 'Levis 501'],
  ])('%s: %s', (q, text) => {
    expect(isFound(text, q)).toBe(true);
  });

  test.each([
    ['toy', 'Delivered to your door'],
    ['e-bike', 'I ride the bike'],
    ['ink', 'Stands in kitchen'],
    ['to y', 'A big toybox'],
    ['ab', 'Size a-b'],
  ])('but not as parts of other words: %s: %s', (q, text) => {
    expect(isFound(text, q)).toBe(false);
  });

  test('only for texts of three letters to 30 characters', () => {
    expect(listJointVariants('ab')).toEqual([]);
    expect(listJointVariants('abc')).toHaveLength(6);
    expect(listJointVariants('a'.repeat(30))).toHaveLength(29 * 3);
    expect(listJointVariants('a'.repeat(31))).toEqual([]);
    expect(listJointVariants('50% - !')).toEqual([]);
  });
});
