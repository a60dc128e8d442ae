import { removeInvisibleCharacters } from './invisible.ts';
import { latinLetterByLookalike, letterByDigitOrSign } from './lookalike-letters.ts';

/**
 * A word of a text in the spellings in which a rule may find it. The word `null` is the end of a sentence, which no
 * phrase crosses.
 */
export type Word = ReadonlySet<string> | null;

/** One position of a phrase: alternatives for a word, or a gap. */
type PhrasePart = ReadonlySet<string> | 'gap';

/** Phrases by their first word, so that most words of a text are looked up once and begin no match. */
export type Phrases = ReadonlyMap<string, readonly (readonly PhrasePart[])[]>;

/** Maximum number of words that a gap of a phrase matches. */
const maxWordsInGap = 4;
/** Stands for a word that consists of digits, such as a part of a phone number. */
const numberWord = '#';

/**
 * Parses phrases, one per line. A phrase consists of words in lower case, without punctuation, and begins with a word;
 * `pay|send` are alternatives, `…` is a gap of up to four words, `#` a number. Matching takes time proportional to the
 * length of the text, because gaps are bounded.
 */
export const parsePhrases = (lines: string): Phrases => {
  const byFirstWord = new Map<string, (readonly PhrasePart[])[]>();
  for (const line of lines
    .trim()
    .split(/\s*\n\s*/)
    .filter(Boolean)) {
    const [first = '', ...rest] = line.split(' ');
    const parts = rest.map((part) => (part === '…' ? 'gap' : new Set(part.split('|'))));
    for (const word of first.split('|')) byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), parts]);
  }
  return byFirstWord;
};

/** Returns the spellings of a word: as written, with letters for digits ('v4pe') and without stretched letters ('vaaape'). */
const toSpellings = (word: string): Word => {
  const plain = word.replace(/[^\p{L}\p{N}]/gu, '');
  const spelled = /\p{L}/u.test(word)
    ? Array.from(word, (sign) => letterByDigitOrSign.get(sign) ?? sign)
        .join('')
        .replace(/[^\p{L}\p{N}]/gu, '')
    : plain;
  const spellings = [plain, spelled].flatMap((text) => [
    text,
    text.replace(/(.)\1{2,}/gu, '$1'),
    text.replace(/(.)\1{2,}/gu, '$1$1'),
  ]);
  return new Set(/^\p{N}+$/u.test(plain) ? [...spellings, numberWord] : spellings);
};

/** Joins letters that were written apart, as in 'v a p e' or 'v.a.p.e', into one word. */
const joinSeparatedLetters = (texts: readonly string[]): string[] => {
  const joined: string[] = [];
  let letters: string[] = [];
  const flush = (): void => {
    if (letters.length > 2) joined.push(letters.join(''));
    else joined.push(...letters);
    letters = [];
  };
  for (const text of texts) {
    if (/^\p{L}$/u.test(text)) letters.push(text);
    else {
      flush();
      joined.push(text);
    }
  }
  flush();
  return joined;
};

/**
 * Returns the words of a text, without differences that do not change what a person reads: capitals, accents,
 * letters of other alphabets that look like Latin ones, and apostrophes ('what's' is 'whats').
 */
export const toWords = (text: string): Word[] => {
  const latin = Array.from(
    removeInvisibleCharacters(text).normalize('NFKD').replace(/\p{M}/gu, ''),
    (letter) => latinLetterByLookalike.get(letter) ?? letter,
  )
    .join('')
    .toLowerCase()
    .replace(/['’‘`´]/g, '');
  const words: Word[] = [];
  for (const sentence of latin.split(/[.?!](?=\s|$)|[\n;]/)) {
    const texts = sentence.match(/[\p{L}\p{N}]+(?:[@$!|€£]+[\p{L}\p{N}]+)*/gu) ?? [];
    words.push(...joinSeparatedLetters(texts).map(toSpellings), null);
  }
  return words;
};

const isWordAt = (words: readonly Word[], index: number, expected: ReadonlySet<string>): boolean => {
  for (const spelling of words[index] ?? []) if (expected.has(spelling)) return true;
  return false;
};

/** Returns the index after the shortest match of `parts` at `start`; undefined when there is none. */
const findMatchEnd = (
  words: readonly Word[],
  start: number,
  parts: readonly PhrasePart[],
): number | undefined => {
  let ends = new Set([start]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const end of ends) {
      if (part !== 'gap') {
        if (isWordAt(words, end, part)) next.add(end + 1);
        continue;
      }
      for (let skipped = 0; skipped <= maxWordsInGap; skipped += 1) {
        next.add(end + skipped);
        if (!words[end + skipped]) break;
      }
    }
    if (next.size === 0) return undefined;
    ends = next;
  }
  return Math.min(...ends);
};

/** Returns the positions of phrases in a text, each as its first index and the index after its last word. */
const listMatches = (words: readonly Word[], phrases: Phrases): [start: number, end: number][] =>
  words.flatMap((word, start) =>
    [...(word ?? [])].flatMap((spelling) =>
      (phrases.get(spelling) ?? []).flatMap((parts): [number, number][] => {
        const end = findMatchEnd(words, start + 1, parts);
        return end === undefined ? [] : [[start, end]];
      }),
    ),
  );

/** Returns whether a text contains one of the phrases. */
export const hasPhrase = (words: readonly Word[], phrases: Phrases): boolean =>
  listMatches(words, phrases).length > 0;

/** Returns the text without the words of these phrases, for example harmless ones that a rule would otherwise find. */
export const removePhrases = (words: readonly Word[], phrases: Phrases): Word[] => {
  const kept = [...words];
  for (const [start, end] of listMatches(words, phrases)) kept.fill(null, start, end);
  return kept;
};
