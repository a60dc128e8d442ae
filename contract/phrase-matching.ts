import { latinLetterByHomoglyph, letterByLeetSymbol } from './homoglyphs.ts';
import { removeInvisibleCharacters } from './invisible-characters.ts';

/**
 * A word of a text, as the set of its possible spellings. `null` marks the end of a sentence, so that no
 * phrase matches across two sentences.
 */
export type WordSpellings = ReadonlySet<string> | null;

/** One element of a phrase: a set of alternative words, or a gap. */
type PhrasePart = ReadonlySet<string> | 'gap';

/** Phrases by their first word. A word that begins no phrase therefore needs only one lookup. */
export type PhraseIndex = ReadonlyMap<string, readonly (readonly PhrasePart[])[]>;

/** Maximum number of words that a gap in a phrase can match. */
const maxWordsInGap = 4;
/** In a phrase, this symbol matches any word that consists of digits, such as a part of a phone number. */
const numberWord = '#';
/** In a phrase, this symbol matches the end of a part of a sentence. It is a word only if the text is split into parts. */
const partEnd = ',';

/**
 * Parses phrases, one per line. A phrase consists of words in lower case, without punctuation, and begins
 * with a word. `pay|send` matches either word, `…` matches up to four words, `#` matches a number, and `,` matches the
 * end of a part of a sentence. Gaps are bounded so that matching takes time proportional to the length of the text.
 */
export const parsePhrases = (lines: string): PhraseIndex => {
  const byFirstWord = new Map<string, (readonly PhrasePart[])[]>();
  for (const line of lines
    .split('\n')
    .map((it) => it.trim())
    .filter(Boolean)) {
    const [first = '', ...rest] = line.split(' ');
    const parts = rest.map((part) => (part === '…' ? 'gap' : new Set(part.split('|'))));
    for (const word of first.split('|')) byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), parts]);
  }
  return byFirstWord;
};

/**
 * Returns the possible spellings of a word: as written, with digits read as letters ('v4pe'), and with
 * repeated letters reduced ('vaaape').
 */
const toSpellings = (word: string): WordSpellings => {
  const plain = word.replace(/[^\p{L}\p{N}]/gu, '');
  const spelled = /\p{L}/u.test(word)
    ? Array.from(word, (sign) => letterByLeetSymbol.get(sign) ?? sign)
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

/** Joins letters that were written separately, as in 'v a p e' or 'v.a.p.e', into one word. */
export const joinSeparatedLetters = (texts: readonly string[]): string[] => {
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

const wordPattern = /[\p{L}\p{N}]+(?:[@$!|€£]+[\p{L}\p{N}]+)*/gu;
/** A sign between the parts of a sentence: a comma, a bracket, or a dash, slash or plus sign between words. */
const partEndPattern = /[,()[\]]| [-–—+|/] |(?<=\p{L}\p{L})[+/](?=\p{L}\p{L})/gu;
/** An ampersand between words, not between the letters of a name such as "S&W". */
const ampersandPattern = / & |(?<=\p{L}\p{L})&(?=\p{L}\p{L})/gu;

/**
 * Returns the words of a text, normalized so that capitals, accents, apostrophes and homoglyphs of
 * other alphabets make no difference ('What's' becomes 'whats'). With `splitsParts`, the end of a part of a sentence is
 * a word, too, so that phrases match only within a part unless they say otherwise.
 */
export const splitIntoWords = (text: string, { splitsParts = false } = {}): WordSpellings[] => {
  const latin = Array.from(
    removeInvisibleCharacters(text).normalize('NFKD').replace(/\p{M}/gu, ''),
    (letter) => latinLetterByHomoglyph.get(letter) ?? letter,
  )
    .join('')
    .toLowerCase()
    .replace(/['’‘`´]/g, '');
  const words: WordSpellings[] = [];
  for (const sentence of latin.split(/[.?!](?=\s|$)|[\n;]/)) {
    const parts = splitsParts
      ? sentence.replace(ampersandPattern, ' and ').split(partEndPattern)
      : [sentence];
    for (const [index, part] of parts.entries()) {
      if (index > 0) words.push(new Set([partEnd]));
      words.push(...joinSeparatedLetters(part.match(wordPattern) ?? []).map(toSpellings));
    }
    words.push(null);
  }
  return words;
};

/** Returns whether the word at an index is one of the expected ones. */
export const isWordAt = (
  words: readonly WordSpellings[],
  index: number,
  expected: ReadonlySet<string>,
): boolean => {
  for (const spelling of words[index] ?? []) if (expected.has(spelling)) return true;
  return false;
};

/**
 * Returns the index after the shortest match of the elements `parts` that begins at `start`, or undefined
 * when there is no such match.
 */
const findMatchEnd = (
  words: readonly WordSpellings[],
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

/** The index of the first word of a match, and the index after its last word. */
export type PhraseMatch = [start: number, end: number];

/** Returns the matches of phrases in a text, ordered by their first words. */
export const listMatches = (words: readonly WordSpellings[], phrases: PhraseIndex): PhraseMatch[] =>
  words.flatMap((word, start) =>
    [...(word ?? [])].flatMap((spelling) =>
      (phrases.get(spelling) ?? []).flatMap((parts): PhraseMatch[] => {
        const end = findMatchEnd(words, start + 1, parts);
        return end === undefined ? [] : [[start, end]];
      }),
    ),
  );

/** Returns whether a text contains one of the phrases. */
export const hasPhrase = (words: readonly WordSpellings[], phrases: PhraseIndex): boolean =>
  listMatches(words, phrases).length > 0;

/** Returns the text without the words that match a phrase. Rules use it to ignore harmless phrases. */
export const removePhrases = (words: readonly WordSpellings[], phrases: PhraseIndex): WordSpellings[] => {
  const kept = [...words];
  for (const [start, end] of listMatches(words, phrases)) kept.fill(null, start, end);
  return kept;
};
