import type { ListingCard } from '#contract/listings.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import { type CardRow, cardColumns, presentListingCard, toCardFromClause } from './cards.ts';
import { joinAlternatives, type ListingFilter, listTextAlternatives, toFilterCondition } from './filter.ts';
import { newestFirst } from './sorts.ts';
import {
  foldedTextSql,
  foldedTitleSql,
  toPlainCondition,
  toPlainTextCondition,
  toVariantTextCondition,
  toWordEndingTsquery,
} from './text-search.ts';
import { chooseIndexedWords, listWordForms, type WordForms } from './word-forms.ts';

const maxSearchWords = 6;
/** A search with more results of its own shows no similar ones. */
const maxSearchResults = 8;
/** Above this number of matches, scanning the newest listings finds a page faster than sorting the matches. */
const maxSortedMatches = 3000;

/**
 * If fewer index entries than this match, the index of word endings is read within a few
 * milliseconds, so the newest listings are not scanned first.
 */
const fewIndexEntriesThreshold = 20_000;
/**
 * From this number of matching index entries on, reading the index takes most of the time that a
 * search may take.
 */
const manyIndexEntriesThreshold = 150_000;
/**
 * Determines how many of the newest listings are scanned before the index is used: enough to contain a full page of
 * results if this many of all listings match.
 */
const assumedMatches = 2 * maxSortedMatches;
/**
 * Replaces `assumedMatches` when at least `manyIndexEntriesThreshold` entries would be read; the lower
 * number means that more of the newest listings are scanned.
 */
const assumedMatchesWithManyEntries = 1000;
const maxScannedListings = 20_000;

/** Returns the first distinct words of a folded text, without punctuation. */
const splitWords = (text: string): string[] => [
  ...new Set(
    text
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .slice(0, maxSearchWords),
  ),
];

const joinWithAnd = (left: Fragment, right: Fragment): Fragment => fragment`${left} AND ${right}`;
const joinConditionsWithOr = (left: Fragment, right: Fragment): Fragment => fragment`${left} OR ${right}`;

/**
 * Returns the forms without those that contain another of the forms: a text that contains the
 * longer form also contains the shorter one, so looking for the shorter one is enough.
 */
const removeRedundantForms = (forms: readonly string[]): string[] =>
  forms.filter((form) => !forms.some((other) => other !== form && form.includes(other)));

/** Returns the SQL condition that a listing contains each word in some form as a whole word, but not the exact text. */
const toSimilarCondition = (words: readonly WordForms[], text: Fragment): Fragment => {
  const parts = words.map(
    ({ forms }) =>
      fragment`(${removeRedundantForms(forms)
        .map((form) => toPlainCondition(foldedTextSql, form))
        .reduce(joinConditionsWithOr)})`,
  );
  // The words consist of letters, marks and digits, so the patterns need no escaping.
  const patterns = words.map(({ forms }) => fragment`${foldedTextSql} ~ ${`\\m(${forms.join('|')})\\M`}`);
  // CASE ensures that PostgreSQL searches for the plain text before it matches the regular
  // expression: the plain search is faster and rules out most listings.
  return fragment`CASE WHEN ${parts.reduce(joinWithAnd)}
    THEN ${patterns.reduce(joinWithAnd)} AND (${text}) IS NOT TRUE ELSE false END`;
};

/** Returns the SQL condition that the title contains one of these forms, even as a part of a longer word. */
const toTitleCondition = ({ forms }: WordForms): Fragment =>
  fragment`(${removeRedundantForms(forms)
    .map((form) => toPlainCondition(foldedTitleSql, form))
    .reduce(joinConditionsWithOr)})`;

/** Returns a `tsquery` that finds the word endings (migration 0014) of listings that contain every word in some form. */
const toWordsTsquery = (words: readonly WordForms[]): string =>
  words
    .map(({ forms }) => `(${removeRedundantForms(forms).map(toWordEndingTsquery).join(' | ')})`)
    .join(' & ');

/**
 * Returns how many of the newest listings to scan before the index is used. This is a small part of all listings, so it
 * contains a full page of results only if very many listings match.
 */
const countScannedListings = (
  indexedWords: readonly WordForms[],
  listingCount: number,
  limit: number,
): number => {
  const indexEntries = listingCount * indexedWords.reduce((sum, { ratio }) => sum + ratio, 0);
  if (indexEntries < fewIndexEntriesThreshold) return 0;
  const matches = indexEntries < manyIndexEntriesThreshold ? assumedMatches : assumedMatchesWithManyEntries;
  return Math.min(maxScannedListings, Math.round((listingCount * limit) / matches));
};

/**
 * Returns published listings that contain every word of a search in some form, but not its exact text (specification of
 * the experience, "Search that forgives"). Listings with the words in their titles come first, then the newest. If
 * very many listings match, only the newest are returned.
 */
export const listSimilarMatches = async (
  sql: Queryable,
  filter: ListingFilter & { text: string },
  limit: number,
): Promise<ListingCard[]> => {
  const searchedWords = splitWords(filter.text);
  if (searchedWords.length === 0) return [];
  const { words, listingCount } = await listWordForms(sql, searchedWords);
  const indexedWords = chooseIndexedWords(words);
  const text = toPlainTextCondition(filter);
  const variant = toVariantTextCondition({ text: filter.text, exactText: filter.exactText });
  // Only the chosen listings are compared with variants of the text, because that takes long.
  const count = variant ? limit + maxSearchResults : limit;
  const conditions = joinWithAnd(
    toFilterCondition({ ...filter, text: undefined }, undefined),
    toSimilarCondition(words, joinAlternatives([...listTextAlternatives(filter), text])),
  );
  const query = toWordsTsquery(indexedWords);
  const inTitle = words.map(toTitleCondition).reduce(joinWithAnd);
  const rows = await sql<CardRow[]>`
      WITH newest AS MATERIALIZED (
        SELECT l.id FROM (
          SELECT * FROM listings l WHERE l.status = 'published'
          ORDER BY ${newestFirst} LIMIT ${countScannedListings(indexedWords, listingCount, count)}
        ) l WHERE ${conditions} ORDER BY ${newestFirst} LIMIT ${count}
      ), matches AS MATERIALIZED (
        SELECT l.id, l.created_at, ${inTitle} AS in_title FROM listings l
        WHERE (SELECT count(*) FROM newest) < ${count}::int AND ${conditions}
          AND (private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery)
            OR private.word_endings(l.folded_text) @@ (SELECT ${query}::tsquery))
        LIMIT ${maxSortedMatches + 1}
      ), chosen AS (
        (SELECT id FROM newest WHERE (SELECT count(*) FROM newest) = ${count}::int)
        UNION ALL
        (SELECT l.id FROM matches l WHERE (SELECT count(*) FROM matches) <= ${maxSortedMatches}::int
        ORDER BY l.in_title DESC, ${newestFirst} LIMIT ${count})
        UNION ALL
        (SELECT l.id FROM listings l WHERE (SELECT count(*) FROM matches) > ${maxSortedMatches}::int AND ${conditions}
        ORDER BY ${newestFirst} LIMIT ${count})
      )
      SELECT ${cardColumns} FROM ${toCardFromClause(filter.today)} JOIN chosen ON chosen.id = l.id
      WHERE ${variant ? fragment`NOT (${variant})` : fragment`true`}
      ORDER BY ${inTitle} DESC, ${newestFirst} LIMIT ${limit}`;
  return rows.map(presentListingCard);
};
