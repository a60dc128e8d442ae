import type { Fragment, Queryable } from '#server/platform/database.ts';

// Three of these in a row are what the trigram index needs to find anything.
const trigram = /[a-z0-9]{3}/;
// Single characters that migration 0005 leaves out: nearly every text has them, so any scan soon finds enough.
const everywhere = /^[ \n.,abcdefghiklmnoprstuvwy]$/;
/** Parts the pairs while migration 0005 cuts them. */
const separator = '\u0001';
/** Few pairs decide as well as many. */
const enoughPairs = 8;

// %, _ and \ are plain characters in what people search for.
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** What a text must have among its letter pairs to contain this one; a lone character stands for itself. */
const letterPairs = (text: string): string[] => {
  const letters = [...text];
  const pairs =
    letters.length === 1
      ? letters.filter((letter) => !everywhere.test(letter))
      : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  return [...new Set(pairs)].filter((pair) => !pair.includes(separator)).slice(0, enoughPairs);
};

/** Where words meet in a text, as migration 0009 cuts it; a lone letter at an end may be part of a longer word. */
const wordMeetings = (text: string): string[] => {
  const words = text.split(' ').map((word) => [...word]);
  const last = words.length - 1;
  return words.slice(1).flatMap((right, before) => {
    const left = words[before] ?? [];
    const known = (before > 0 || left.length > 1) && (before + 1 < last || right.length > 1);
    return known ? [`${left.slice(-2).join('')} ${right.slice(0, 2).join('')}`] : [];
  });
};

/** Listings whose searched text contains the lower-cased one: found by looking, in whatever order a list has. */
export const hasText = (sql: Queryable, text: string): Fragment => sql`strpos(l.search_text, ${text}) > 0`;

/**
 * The same by whichever index can tell; undefined where none can. What is looked for hides in a subquery, so that
 * every term is taken for a seldom one: the caller knows that it is, and PostgreSQL's guesses are far off.
 */
export const hasTextByIndex = (sql: Queryable, text: string): Fragment | undefined => {
  const meetings = wordMeetings(text);
  if (meetings.length === 0 && trigram.test(text)) {
    return sql`l.search_text LIKE (SELECT ${contains(text)})`;
  }
  const grams = [...meetings, ...letterPairs(text)];
  if (grams.length === 0) return undefined;
  return sql`(${hasText(sql, text)} AND private.search_grams(l.search_text) @> (SELECT ${grams}::text[]))`;
};

/** So many of the newest listings tell how common a text is. */
const sampleSize = 1000;
/** From this share on, looking through the listings in order finds enough of them sooner than an index. */
export const commonShare = 0.2;

/** How large a part of the newest listings has a text, from 0 to 1. */
export const shareOfNewest = async (sql: Queryable, text: string): Promise<number> => {
  const [sample] = await sql<{ found: number }[]>`
    SELECT count(*) FILTER (WHERE ${hasText(sql, text)}) AS found FROM (
      SELECT search_text FROM listings WHERE status = 'published' ORDER BY created_at DESC, id DESC LIMIT ${sampleSize}
    ) AS l`;
  return (sample?.found ?? 0) / sampleSize;
};
