import type { Fragment } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/sql-fragments.ts';
import { selectiveTerms } from './selective-terms.ts';

/** After so many letters migration 0014 cuts the ending of a word. */
const longestEnding = 24;

// %, _ and \ are plain characters in what people search for.
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Listings whose searched text contains the lower-cased one: found by looking, in whatever order a list has. */
export const hasText = (text: string): Fragment => fragment`strpos(l.search_text, ${text}) > 0`;

/** Where words meet in a text, as migration 0014 writes it; a word at either end may be part of a longer one. */
const meetingsOf = (words: readonly string[]): string[] => {
  const last = words.length - 1;
  return words.slice(1).flatMap((next, index) => {
    const [left, right] = [[...(words[index] ?? '')], [...next]];
    const two = (index > 0 || left.length > 1) && (index + 1 < last || right.length > 1);
    const letters = two ? 2 : 1;
    const meeting = `${left.slice(-letters).join('')} ${right.slice(0, letters).join('')}`;
    return meeting === ' ' ? [] : [meeting];
  });
};

/** Any word that has an ending which begins with this part, as `tsquery` writes it. */
const endingsBeginning = (part: string): string =>
  `'${[...part].slice(0, longestEnding).join('').replace(/['\\]/g, '$&$&')}':*`;

/**
 * The same by the indexes of migration 0014, asked for as little as tells enough in a sample of texts; undefined where
 * they cannot tell. What is looked for hides in a subquery, so that every term is taken for a seldom one: the caller
 * knows that it is, and PostgreSQL's guesses are far off.
 */
export const hasTextByIndex = (text: string, sample: readonly string[]): Fragment | undefined => {
  const words = text.split(/[ \n]/);
  const clues = selectiveTerms(text, [...meetingsOf(words), ...words.filter((word) => word !== '')], sample);
  if (clues.length === 0) return undefined;
  const meetings = clues.filter((clue) => clue.includes(' '));
  const parts = clues.filter((clue) => !clue.includes(' '));
  const settled = parts[0] === text && [...text].length <= longestEnding;
  const conditions = settled ? [] : [hasText(text)];
  if (meetings.length > 0)
    conditions.push(fragment`private.word_meetings(l.search_text) @> (SELECT ${meetings}::text[])`);
  if (parts.length > 0) {
    const query = parts.map(endingsBeginning).join(' & ');
    conditions.push(fragment`private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery)`);
  }
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};
