import type { ListingCard } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { cardJson, cardSource } from './cards.ts';
import { conditionsOf, type Filter } from './filter.ts';
import { newestFirst } from './sorts.ts';
import { hasText } from './text-search.ts';

/** Similarity of two words by their trigrams, from which on one may be a misspelling of the other (pg_trgm). */
const similarEnough = 0.45;
const maxAlternatives = 8;
/** Only the first words of a search count. */
const maxWords = 6;
/** From this many matches on, scanning the newest listings finds a page faster than sorting them. */
const fewMatches = 3000;

/** Returns the words of a lower-cased text, without punctuation. */
const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .slice(0, maxWords),
  ),
];

/**
 * Returns for each word the words of published listings that may be meant: other forms of it, and those that differ from it
 * by a typing mistake. Its own spelling is among them, since listings may contain the words of a search apart from one another.
 */
const listAlternatives = async (sql: Queryable, words: readonly string[]): Promise<string[][]> => {
  const rows = await runStatement<{ alternatives: string[] }>(
    sql,
    fragment`
      SELECT ARRAY(
        SELECT known.word FROM private.search_words known
        WHERE known.stem = private.stem_of(given.word)
          OR (known.word % given.word AND similarity(known.word, given.word) >= ${similarEnough}::real)
        ORDER BY known.stem = private.stem_of(given.word) DESC, similarity(known.word, given.word) DESC, known.word
        LIMIT ${maxAlternatives}
      ) AS alternatives
      FROM unnest(${words}::text[]) WITH ORDINALITY AS given (word, position) ORDER BY position`,
  );
  return rows.map(({ alternatives }, index) => [...new Set([words[index] ?? '', ...alternatives])]);
};

const both = (left: Fragment, right: Fragment): Fragment => fragment`${left} AND ${right}`;
const either = (left: Fragment, right: Fragment): Fragment => fragment`${left} OR ${right}`;

/** Returns the condition that a listing contains one of these words as a whole. */
const hasWord = (alternatives: readonly string[]): Fragment => {
  // Words consist of letters and digits, so a pattern needs no escaping.
  const pattern = `\\m(${alternatives.join('|')})\\M`;
  // Comparing texts is faster than the pattern and rules most listings out.
  return fragment`(${alternatives.map(hasText).reduce(either)}) AND l.search_text ~ ${pattern}`;
};

/** Returns whether the title contains one of these words, if only as a part of another. */
const hasInTitle = (alternatives: readonly string[]): Fragment =>
  fragment`(${alternatives.map((word) => fragment`strpos(lower(l.title), ${word}) > 0`).reduce(either)})`;

/**
 * Returns published listings that contain each word of a search in some form, but not the text itself (specification of
 * the experience, "Search that forgives"): those with the words in their titles first, then the newest.
 */
export const listSimilarMatches = async (
  sql: Queryable,
  filter: Filter & { text: string },
  limit: number,
): Promise<JsonText<ListingCard[]>> => {
  const words = wordsOf(filter.text);
  if (words.length === 0) return jsonArray([]);
  const alternatives = await listAlternatives(sql, words);
  const conditions = both(
    conditionsOf({ ...filter, text: undefined, textCategory: undefined }, undefined),
    both(
      alternatives.map(hasWord).reduce(both),
      filter.textCategory
        ? fragment`NOT (${hasText(filter.text)} OR l.category = ${filter.textCategory})`
        : fragment`NOT ${hasText(filter.text)}`,
    ),
  );
  // An ending of 24 letters is all that the index holds, and no word here is longer.
  const query = alternatives
    .map((forms) => `(${forms.map((form) => `'${[...form].slice(0, 24).join('')}':*`).join(' | ')})`)
    .join(' & ');
  const inTitle = alternatives.map(hasInTitle).reduce(both);
  const rows = await runStatement<{ card: JsonText<ListingCard> }>(
    sql,
    fragment`
      WITH matches AS MATERIALIZED (
        SELECT l.id, l.created_at, ${inTitle} AS in_title FROM listings l
        WHERE ${conditions} AND private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery) LIMIT ${fewMatches + 1}
      ), chosen AS (
        (SELECT l.id FROM matches l WHERE (SELECT count(*) FROM matches) <= ${fewMatches}::int
        ORDER BY l.in_title DESC, ${newestFirst} LIMIT ${limit})
        UNION ALL
        (SELECT l.id FROM listings l WHERE (SELECT count(*) FROM matches) > ${fewMatches}::int AND ${conditions}
        ORDER BY ${newestFirst} LIMIT ${limit})
      )
      SELECT ${cardJson} AS card FROM ${cardSource} JOIN chosen ON chosen.id = l.id
      ORDER BY ${inTitle} DESC, ${newestFirst}`,
  );
  return jsonArray(rows.map(({ card }) => card));
};
