import { z } from 'zod';
import { withoutInvisible } from './invisible.ts';

// PostgreSQL cannot store NUL, and no field needs the other control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;
const forbiddenSentence = 'This text contains characters that cannot be used';

/** Returns the schema of text that PostgreSQL can store, for fields whose format is not checked further. */
export const storable = (sentence: string, longest: number) =>
  z
    .string({ error: sentence })
    .overwrite((value) => withoutInvisible(value).trim())
    .max(longest, sentence)
    .refine((value) => !forbidden.test(value), forbiddenSentence);

/** Emoji, as a keyboard offers them, and check marks; the symbols ©, ® and ™ belong to ordinary text. */
export const pictograph =
  /(?![©®™])[\p{Extended_Pictographic}\u2713\u{1F5F8}]|\p{Regional_Indicator}|\u20E3/u;

/** Returns the length in code points, as PostgreSQL's char_length counts, not in UTF-16 units. */
export const characters = (text: string): number => [...text].length;

export interface Bound {
  /** Number of characters. */
  length: number;
  /** The message when the limit is violated. */
  sentence: string;
}

interface Bounds {
  /** The message when the value is not text. */
  required: string;
  min?: Bound;
  max: Bound;
}

const bounded = (schema: z.ZodString, { min, max }: Bounds) => {
  let text = schema.refine((value) => !forbidden.test(value), forbiddenSentence);
  if (min) {
    text = text.refine((value) => characters(value) >= min.length, min.sentence);
  }
  return text.refine((value) => characters(value) <= max.length, { error: max.sentence });
};

/** Returns a single line: without invisible characters, trimmed, inner white space (line breaks included) folded to one space. */
export const normalizeLine = (text: string): string =>
  withoutInvisible(text)
    .replace(/[\s\u0085]+/g, ' ')
    .trim();

/** Returns text of several lines: without invisible characters, trimmed, line breaks kept as \n. */
export const normalizeParagraph = (text: string): string =>
  withoutInvisible(text)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .trim();

/** Returns the schema of a single line, normalized and limited in characters. */
export const line = (bounds: Bounds) =>
  z.string({ error: bounds.required }).overwrite(normalizeLine).pipe(bounded(z.string(), bounds));

/** Returns the schema of text of several lines, normalized and limited in characters. */
export const paragraph = (bounds: Bounds) =>
  z.string({ error: bounds.required }).overwrite(normalizeParagraph).pipe(bounded(z.string(), bounds));

/** A version-4 or -7 (or any RFC 9562) identifier in lower case. */
export const idSchema = z.uuid().overwrite((value) => value.toLowerCase());

/** An instant as ISO 8601 in UTC, as in every response. */
export const instantSchema = z.iso.datetime();
