import { z } from 'zod';
import { removeInvisibleCharacters } from './invisible-characters.ts';

// All ASCII control characters except tab and line breaks. PostgreSQL cannot store NUL, and no text
// field needs the others.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const forbiddenCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;
const forbiddenCharactersMessage = 'This text contains characters that cannot be used';

// Matches a letter's combining marks beyond the sixth. Languages need up to six (Hebrew with vowels and accents, Burmese,
// Tibetan); a longer stack covers the lines above and below. A joiner between two marks does not end a stack.
const excessMarks = /(\p{M}(?:[\u200C\u200D]?\p{M}){5})(?:[\u200C\u200D]?\p{M})+[\u200C\u200D]?/gu;
const limitMarks = (text: string): string => text.replace(excessMarks, '$1');

/**
 * Returns the text without invisible characters, with at most six combining marks on a letter, and in the
 * canonical form (NFC) in which every text is stored and searched: é is one character, however it was typed. Marks are
 * limited first, because putting a long stack of them in order takes quadratic time, and again because NFC splits some
 * characters into letters and marks.
 */
export const normalizeCharacters = (text: string): string => {
  const normalized = limitMarks(limitMarks(removeInvisibleCharacters(text)).normalize('NFC'));
  // The order of marks determines which joiners are invisible, so what one pass changed is checked by another.
  return normalized === text ? text : normalizeCharacters(normalized);
};

/**
 * Returns the schema of text that PostgreSQL can store, for fields whose format is not checked further. `longest` is
 * the maximum length in UTF-16 code units.
 */
export const createStorableTextSchema = (sentence: string, longest: number) =>
  z
    .string({ error: sentence })
    .overwrite((value) => normalizeCharacters(value).trim())
    .max(longest, sentence)
    .refine((value) => !forbiddenCharacters.test(value), forbiddenCharactersMessage);

/**
 * Matches emoji and symbols that look like a check mark or a badge, such as the square root sign and letters
 * in circles or squares. Does not match ©, ® and ™.
 */
export const pictographPattern =
  /(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}\u221A\u2713\u24B6-\u24E9\u{1F110}-\u{1F189}\u{1F5F8}\u{1F5F9}\u{1FBB1}]|\p{Regional_Indicator}|\u20E3/u;

/** Returns the text without the characters that `pictographPattern` matches. */
export const removePictographs = (text: string): string =>
  text.replace(new RegExp(pictographPattern, 'gu'), '');

/** Returns the number of code points (like PostgreSQL's char_length), not of UTF-16 code units. */
export const countCharacters = (text: string): number => [...text].length;

export interface LengthBound {
  /** Minimum or maximum length of the text in code points. */
  length: number;
  /** The error message for text that is too short or too long. */
  sentence: string;
}

interface LengthBounds {
  /** The error message for a value that is not a string. */
  required: string;
  min?: LengthBound;
  max: LengthBound;
}

const limitLength = (schema: z.ZodString, { min, max }: LengthBounds) => {
  let text = schema.refine((value) => !forbiddenCharacters.test(value), forbiddenCharactersMessage);
  if (min) {
    text = text.refine((value) => countCharacters(value) >= min.length, min.sentence);
  }
  return text.refine((value) => countCharacters(value) <= max.length, { error: max.sentence });
};

/**
 * Returns the text as a single line: with normalized characters, trimmed, and with each run of white space (including
 * line breaks) replaced by one space.
 */
export const normalizeLine = (text: string): string =>
  normalizeCharacters(text)
    .replace(/[\s\u0085]+/g, ' ')
    .trim();

/** Returns null for a value that is missing or a blank text, and every other value unchanged. */
export const blankToNull = (value: unknown) =>
  value === undefined || (typeof value === 'string' && normalizeLine(value) === '') ? null : value;

/** Returns multi-line text with normalized characters, trimmed, with all line breaks converted to \n. */
export const normalizeParagraph = (text: string): string =>
  normalizeCharacters(text)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .trim();

/** Returns the schema of a single line of text with length limits. */
export const createSingleLineTextSchema = (bounds: LengthBounds) =>
  z.string({ error: bounds.required }).overwrite(normalizeLine).pipe(limitLength(z.string(), bounds));

/** Returns the schema of multi-line text with length limits. */
export const createParagraphSchema = (bounds: LengthBounds) =>
  z.string({ error: bounds.required }).overwrite(normalizeParagraph).pipe(limitLength(z.string(), bounds));

/** A UUID (RFC 9562, any version), converted to lower case. */
export const idSchema = z.uuid().overwrite((value) => value.toLowerCase());

/** A time in ISO 8601 format, in UTC; all responses use this format. */
export const instantSchema = z.iso.datetime();
