import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasPhrase, parsePhrases, removePhrases, splitIntoWords } from './phrase-matching.ts';

const has = (text: string, phrases: string) => hasPhrase(splitIntoWords(text), parsePhrases(phrases));

describe('matching phrases', () => {
  test.each([
    'I sell a vape',
    'VAPE',
    'v a p e',
    'v.a.p.e',
    'v-a-p-e!',
    'v4pe',
    'v@pe',
    'vaaaaape',
    'vápe',
    'vаpe with a Cyrillic letter',
    'va\u200Bpe',
    'vape, new',
  ])('a word is found however it is spelled: %j', (text) => {
    expect(has(text, 'vape')).toBe(true);
  });

  test.each(['vapes', 'vapor', 'escape', 'va pe', 'v'])('other words are not found: %j', (text) => {
    expect(has(text, 'vape')).toBe(false);
  });

  test('a phrase can have alternatives, gaps of up to four words, and a placeholder for a number', () => {
    const phrase = 'send|text … code #';
    expect(has('send code 12', phrase)).toBe(true);
    expect(has('Text me the new door code 12', phrase)).toBe(true);
    expect(has('send me the very new door code 12', phrase)).toBe(false);
    expect(has('send code twelve', phrase)).toBe(false);
  });

  test('a phrase does not cross the end of a sentence', () => {
    expect(has('Please send photos. The code is 12', 'send … code')).toBe(false);
    expect(has('Please send photos\nThe code is 12', 'send … code')).toBe(false);
    expect(has('Please send it to a.b and the code', 'send … code')).toBe(false);
  });

  test('in a text that is split into parts, the end of a part is a word', () => {
    const hasInParts = (text: string, phrases: string) =>
      hasPhrase(splitIntoWords(text, { splitsParts: true }), parsePhrases(phrases));
    for (const text of [
      'wine, glasses',
      'wine (glasses)',
      'wine - glasses',
      'wine / glasses',
      'wine/glasses',
      'wine + glasses',
    ]) {
      expect(hasInParts(text, 'wine glasses'), text).toBe(false);
      expect(hasInParts(text, 'wine , glasses'), text).toBe(true);
    }
    for (const text of ['wine-glasses', 'wine: glasses'])
      expect(hasInParts(text, 'wine glasses'), text).toBe(true);
    for (const text of ['wine & dine', 'wine&dine'])
      expect(hasInParts(text, 'wine and dine'), text).toBe(true);
    expect(hasInParts('S&W', 's w')).toBe(true);
  });

  test('apostrophes do not separate words', () => {
    for (const text of ['what’s up', "what's up", 'whats up']) expect(has(text, 'whats up')).toBe(true);
  });

  test('words inside removed phrases are not found', () => {
    const words = removePhrases(splitIntoWords('a glue gun, not a gun'), parsePhrases('glue gun'));
    expect(hasPhrase(words, parsePhrases('gun'))).toBe(true);
    expect(hasPhrase(removePhrases(words, parsePhrases('not a gun')), parsePhrases('gun'))).toBe(false);
  });

  test('every word of a text is found, whatever surrounds it', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(fc.string(), letters, fc.string(), (before, word, after) => {
        expect(has(`${before} ${word} ${after}`, word)).toBe(true);
      }),
    );
  });

  test('texts of maximum length that keep repeating the beginning of a phrase are checked quickly', () => {
    const phrases = parsePhrases('send … code … you … got');
    for (const text of ['send ', 'send code ', 'send code you ', 'send code you x x x x '])
      expect(hasPhrase(splitIntoWords(text.repeat(2000).slice(0, 20_000)), phrases)).toBe(false);
  });
});
