import type { Queryable } from '#server/platform/postgres/database.ts';
import { sampleSize } from './match-estimates.ts';

/** Minimum trigram similarity (pg_trgm) at which one word counts as a possible misspelling of the other. */
const minSimilarity = 0.45;
const maxAlternatives = 8;
/**
 * Number of index entries that PostgreSQL reads in the time it takes to search one listing's text for all the words.
 */
const indexEntriesPerCheck = 12;

/**
 * Matches words that consist only of letters, combining marks and digits. Words in `private.search_words` can also
 * contain symbols, because the database's collation determines which characters are punctuation. The similar search
 * uses the words in a regular expression, in which symbols can have a special meaning.
 */
const plainWordPattern = /^[\p{L}\p{M}\p{N}]+$/u;

/** A word of a search in all its forms and spellings. */
export interface WordForms {
  /**
   * The word itself and its alternatives. The word is included because a listing may contain all
   * the words of a search without containing the exact search text.
   */
  forms: string[];
  /** Estimated ratio of published listings that contain one of the forms: above 0, at most 1. */
  ratio: number;
}

interface WordRow {
  alternatives: string[];
  sampledMatches: number;
  /** PostgreSQL's estimate of the number of listings. It is negative when it has not been determined yet. */
  listingCount: number;
}

/**
 * Returns, for each word of a search, the words of published listings that the person may have
 * meant: other forms of the word, and words that differ by a typing mistake. Also returns
 * PostgreSQL's estimate of the number of listings, which is negative when it has not been
 * determined yet.
 */
export const listWordForms = async (
  sql: Queryable,
  words: readonly string[],
): Promise<{ words: WordForms[]; listingCount: number }> => {
  const rows = await sql<WordRow[]>`
      WITH newest AS MATERIALIZED (
        SELECT coalesce(folded_text, search_text) AS text FROM listings WHERE status = 'published'
        ORDER BY created_at DESC, id DESC LIMIT ${sampleSize}
      ), found AS MATERIALIZED (
        SELECT given.*, ARRAY(
          SELECT known.word FROM private.search_words known
          WHERE known.stem = private.stem_of(given.word)
            OR (known.word % given.word AND similarity(known.word, given.word) >= ${minSimilarity}::real)
          ORDER BY known.stem = private.stem_of(given.word) DESC, similarity(known.word, given.word) DESC, known.word
          LIMIT ${maxAlternatives}
        ) AS alternatives
        FROM unnest(${words}::text[]) WITH ORDINALITY AS given (word, position)
      )
      SELECT alternatives,
        (SELECT reltuples FROM pg_class WHERE oid = 'listings'::regclass) AS "listingCount",
        (SELECT count(*) FROM newest WHERE EXISTS (
          SELECT FROM unnest(word || alternatives) AS form WHERE strpos(newest.text, form) > 0
        )) AS "sampledMatches"
      FROM found ORDER BY position`;
  return {
    words: rows.map(({ alternatives, sampledMatches }, index) => ({
      forms: [
        ...new Set([words[index] ?? '', ...alternatives.filter((word) => plainWordPattern.test(word))]),
      ],
      ratio: Math.max(1, sampledMatches) / sampleSize,
    })),
    listingCount: rows[0]?.listingCount ?? 0,
  };
};

/**
 * Returns those words with which the index finds the listings that contain all words fastest, rarest word first. A
 * further word is looked up only if reading its index entries takes less time than searching the texts of the listings
 * that it rules out.
 */
export const chooseIndexedWords = (words: readonly WordForms[]): WordForms[] => {
  let matchRatio = 1;
  return words
    .toSorted((a, b) => a.ratio - b.ratio)
    .filter(({ ratio }, index) => {
      const isChosen = index === 0 || matchRatio * (1 - ratio) > ratio / indexEntriesPerCheck;
      if (isChosen) matchRatio *= ratio;
      return isChosen;
    });
};
