import { createTextMatcher } from '#contract/search-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { SearchSample } from './text-search.ts';

/** Number of newest listings sampled to estimate how common a text is and which terms are selective. */
export const sampleSize = 500;

/** Returns the folded texts of the newest listings, and those of the words that listings contain. */
export const readSearchSample = async (sql: Queryable, words: readonly string[]): Promise<SearchSample> => {
  const rows = await sql<{ text: string; is_word: boolean }[]>`
      (SELECT coalesce(folded_text, search_text) AS text, false AS is_word FROM listings WHERE status = 'published'
      ORDER BY created_at DESC, id DESC LIMIT ${sampleSize})
      UNION ALL SELECT word, true FROM private.search_words WHERE word = ANY (${words}::text[])`;
  return {
    texts: rows.filter((row) => !row.is_word).map(({ text }) => text),
    knownWords: new Set(rows.filter((row) => row.is_word).map(({ text }) => text)),
  };
};

/** Returns the folded texts of the newest listings. */
export const listNewestSearchableTexts = async (sql: Queryable): Promise<readonly string[]> =>
  (await readSearchSample(sql, [])).texts;

/**
 * Returns the ratio of sampled texts that contain a text or a variant of it, from 0 to 1. A sample with fewer than
 * `sampleSize` texts counts as full, so its ratio is an underestimate.
 */
export const estimateMatchRatio = (text: string, texts: readonly string[]): number =>
  texts.filter(createTextMatcher(text)).length / sampleSize;

/**
 * Expected number of sampled table pages that contain a match when exactly `count` listings match. When fewer listings
 * match, the actual number is lower.
 */
const expectedMatchingPages = 10;
/**
 * If at least this many sampled table pages contain a match, more than `count` listings match (see
 * `hasProvablyMoreMatches`). With at most `count` matches, about `expectedMatchingPages` (10) are
 * expected, and 50 or more has a probability below 10^-18 (Poisson tail).
 */
const conclusiveMatchingPages = 50;

/**
 * Returns true when a sample of the table's pages proves that more than `count` listings match. Pages are sampled
 * independently, and N listings occupy at most N pages. False proves nothing: the caller must count the matches.
 */
export const hasProvablyMoreMatches = async (
  sql: Queryable,
  count: number,
  where: Fragment,
): Promise<boolean> => {
  const percent = (100 * expectedMatchingPages) / count;
  const [sample] = await sql<
    { pages: number }[]
  >`SELECT count(DISTINCT split_part(l.ctid::text, ',', 1)) AS pages
    FROM listings l TABLESAMPLE SYSTEM (${percent}::real) WHERE ${where}`;
  return (sample?.pages ?? 0) >= conclusiveMatchingPages;
};

/**
 * Upper bound of the expected number of sampled listings that match when exactly `count` listings
 * match.
 */
const expectedMatchingListings = 400;
/**
 * If at least this many sampled listings match, more than `count` listings match. With at most
 * `count` matches, at most `expectedMatchingListings` (400) are expected, and 560 or more has a probability
 * below 10^-12 (Chernoff bound).
 */
const conclusiveMatchingListings = 560;

/**
 * Does the same as `hasProvablyMoreMatches` for a condition that a partial index covers
 * (`indexed`). Only some listings meet such a condition, so a sample of all table pages would
 * contain too few of them. Instead, this function samples the index: it takes the listings whose id
 * has a hash divisible by a number. The index contains the ids, so only the sampled listings are
 * read from the table, to check the `others` conditions. `count` must be positive.
 */
export const hasProvablyMoreIndexedMatches = async (
  sql: Queryable,
  count: number,
  { indexed, others }: { indexed: Fragment; others: Fragment },
): Promise<boolean> => {
  const divisor = Math.ceil(count / expectedMatchingListings);
  const [sample] = await sql<{ matches: number }[]>`WITH sampled AS MATERIALIZED (
      SELECT l.id FROM listings l WHERE ${indexed} AND uuid_hash(l.id) % ${divisor}::int = 0
    )
    SELECT count(*) AS matches FROM sampled JOIN listings l ON l.id = sampled.id WHERE ${others}`;
  return (sample?.matches ?? 0) >= conclusiveMatchingListings;
};
