import type { ListingCard } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { cardJson, cardSource } from './cards.ts';
import { type Filter, toFilterCondition } from './filter.ts';
import { newestFirst } from './sorts.ts';
import { hasText } from './text-search.ts';

/** Minimum trigram similarity (pg_trgm) at which one word counts as a possible misspelling of the other. */
const minSimilarity = 0.45;
const maxAlternatives = 8;
/** Maximum number of words of a search that are considered. */
const maxWords = 6;
/** Above this number of matches, scanning the newest listings finds a page faster than sorting the matches. */
const maxSortedMatches = 3000;

/** The collation decides whether PostgreSQL counts symbols as parts of words; in a pattern they would have a meaning. */
const plainWord = /^[\p{L}\p{M}\p{N}]+$/u;

/** Returns the first distinct words of a lower-cased text, without punctuation. */
const splitWords = (text: string): string[] => [
  ...new Set(
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .slice(0, maxWords),
  ),
];

/**
 * Returns, for each word, the words of published listings that may be meant: other forms of the word, and words that
 * differ from it by a typing mistake. The word itself is included, because a listing may contain the words of the
 * search separately.
 */
const listAlternatives = async (sql: Queryable, words: readonly string[]): Promise<string[][]> => {
  const rows = await runStatement<{ alternatives: string[] }>(
    sql,
    fragment`
      SELECT ARRAY(
        SELECT known.word FROM private.search_words known
        WHERE known.stem = private.stem_of(given.word)
          OR (known.word % given.word AND similarity(known.word, given.word) >= ${minSimilarity}::real)
        ORDER BY known.stem = private.stem_of(given.word) DESC, similarity(known.word, given.word) DESC, known.word
        LIMIT ${maxAlternatives}
      ) AS alternatives
      FROM unnest(${words}::text[]) WITH ORDINALITY AS given (word, position) ORDER BY position`,
  );
  return rows.map(({ alternatives }, index) => [
    ...new Set([words[index] ?? '', ...alternatives.filter((word) => plainWord.test(word))]),
  ]);
};

const and = (left: Fragment, right: Fragment): Fragment => fragment`${left} AND ${right}`;
const or = (left: Fragment, right: Fragment): Fragment => fragment`${left} OR ${right}`;

/** Returns the SQL condition that a listing contains one of these words as a whole word. */
const hasWord = (alternatives: readonly string[]): Fragment => {
  // The words consist of letters, marks and digits, so the pattern needs no escaping.
  const pattern = `\\m(${alternatives.join('|')})\\M`;
  // Searching for the plain text is faster than the pattern and rules out most listings.
  return fragment`(${alternatives.map(hasText).reduce(or)}) AND l.search_text ~ ${pattern}`;
};

/** Returns the SQL condition that the title contains one of these words, even as a part of a longer word. */
const hasInTitle = (alternatives: readonly string[]): Fragment =>
  fragment`(${alternatives.map((word) => fragment`strpos(lower(l.title), ${word}) > 0`).reduce(or)})`;

/**
 * Returns published listings that contain every word of a search in some form, but not its exact text (specification of
 * the experience, "Search that forgives"). Listings with the words in their titles come first, then the newest.
 */
export const listSimilarMatches = async (
  sql: Queryable,
  filter: Filter & { text: string },
  limit: number,
): Promise<JsonText<ListingCard[]>> => {
  const words = splitWords(filter.text);
  if (words.length === 0) return jsonArray([]);
  const alternatives = await listAlternatives(sql, words);
  const conditions = and(
    toFilterCondition({ ...filter, text: undefined, textCategory: undefined }, undefined),
    and(
      alternatives.map(hasWord).reduce(and),
      filter.textCategory
        ? fragment`NOT (${hasText(filter.text)} OR l.category = ${filter.textCategory})`
        : fragment`NOT ${hasText(filter.text)}`,
    ),
  );
  // The index contains endings of up to 24 letters, and no word here is longer.
  const query = alternatives
    .map((forms) => `(${forms.map((form) => `'${[...form].slice(0, 24).join('')}':*`).join(' | ')})`)
    .join(' & ');
  const inTitle = alternatives.map(hasInTitle).reduce(and);
  const rows = await runStatement<{ card: JsonText<ListingCard> }>(
    sql,
    fragment`
      WITH matches AS MATERIALIZED (
        SELECT l.id, l.created_at, ${inTitle} AS in_title FROM listings l
        WHERE ${conditions} AND private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery) LIMIT ${maxSortedMatches + 1}
      ), chosen AS (
        (SELECT l.id FROM matches l WHERE (SELECT count(*) FROM matches) <= ${maxSortedMatches}::int
        ORDER BY l.in_title DESC, ${newestFirst} LIMIT ${limit})
        UNION ALL
        (SELECT l.id FROM listings l WHERE (SELECT count(*) FROM matches) > ${maxSortedMatches}::int AND ${conditions}
        ORDER BY ${newestFirst} LIMIT ${limit})
      )
      SELECT ${cardJson} AS card FROM ${cardSource} JOIN chosen ON chosen.id = l.id
      ORDER BY ${inTitle} DESC, ${newestFirst}`,
  );
  return jsonArray(rows.map(({ card }) => card));
};
