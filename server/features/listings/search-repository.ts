import { publishedCondition } from '#server/features/listing-visibility/sql.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { toFilterCondition } from './filter.ts';
import {
  estimateMatchRatio,
  hasProvablyMoreIndexedMatches,
  hasProvablyMoreMatches,
  readSearchSample,
} from './match-estimates.ts';
import {
  type CountedListingCardPage,
  countMatchingListings,
  type ListingPageRequest,
  listCountedMatches,
  listListingsByScan,
} from './read-repository.ts';
import {
  listIndexedTextConditions,
  listWordsOfVariants,
  toPlainTextCondition,
  toTextCondition,
} from './text-search.ts';

/**
 * If at least this ratio of listings contains the text, scanning the listings in sort order is
 * faster than using a word index.
 */
const minScanRatio = 0.2;
/**
 * Used instead of `minScanRatio` when a filter combines two of category, size and kind. It is lower, because an index on
 * the combination leaves few listings to scan.
 */
const minScanRatioWithNarrowFilter = 0.05;
/**
 * If at least this ratio of listings matches, the search first tries to prove by a sample that there are more matches
 * than are counted. For a rarer text, the sample would rarely prove it.
 */
const minSampleRatio = 0.03;
/**
 * The threshold that replaces `minSampleRatio` when a filter selects a size or kind. Up to this
 * ratio, combining the word index with the index of the size or kind finds the matches fast enough.
 */
const minSampleRatioWithSizeOrKind = 0.12;

export interface ListingSearch extends ListingPageRequest {
  filter: ListingPageRequest['filter'] & { text: string };
  countedTo: number;
  /** The cached number of matches, or undefined when it is not known. */
  total: number | undefined;
}

/** Returns whether a sample proves that more than `countedTo` listings match. */
const hasProvablyManyMatches = async (
  sql: Queryable,
  { filter, countedTo }: ListingSearch,
  ratio: number,
): Promise<boolean> => {
  // Matches with another joint are left out: the others prove the same, and are found faster.
  const text = toPlainTextCondition(filter);
  const { today, category, size, kind, ...others } = filter;
  if (!size && !kind) {
    return (
      ratio >= minSampleRatio &&
      (await hasProvablyMoreMatches(sql, countedTo, toFilterCondition(filter, text)))
    );
  }
  return (
    ratio >= minSampleRatioWithSizeOrKind &&
    (await hasProvablyMoreIndexedMatches(sql, countedTo, {
      indexed: toFilterCondition({ today, category, size, kind }, undefined, publishedCondition),
      others: toFilterCondition({ today, ...others }, text),
    }))
  );
};

/**
 * Number of matches up to which a text that many listings contain is sorted by relevance. For each page, all listings
 * are compared with such a text.
 */
const maxRankedMatches = 1_000;

/**
 * Returns a page of the listings that contain a text, and the number of matches. More than `countedTo` matches, and more
 * than `maxRankedMatches` of a very common text, are not sorted by relevance but newest first, because no index finds the
 * first of them.
 */
export const searchListings = async (
  sql: Queryable,
  search: ListingSearch,
): Promise<CountedListingCardPage> => {
  const { filter, countedTo } = search;
  const isByRelevance = search.sort === 'relevance';
  // If the matches have passed the limit since the previous page, its position belongs to another order. The newest then
  // start over, because a match listed twice is better than one that is skipped.
  const listByScan = () =>
    listListingsByScan(sql, isByRelevance ? { ...search, sort: 'newest', after: undefined } : search);
  const listManyMatches = async () => ({ ...(await listByScan()), total: countedTo + 1 });
  if (search.total !== undefined && search.total > countedTo) return listManyMatches();
  const sample = await readSearchSample(sql, listWordsOfVariants(filter.text));
  const share = estimateMatchRatio(filter.text, sample.texts);
  if (search.total === undefined && (await hasProvablyManyMatches(sql, search, share)))
    return listManyMatches();
  const hasNarrowFilter = [filter.category, filter.size, filter.kind].filter(Boolean).length > 1;
  const byIndex =
    share < (hasNarrowFilter ? minScanRatioWithNarrowFilter : minScanRatio) &&
    listIndexedTextConditions({ text: filter.text, exactText: filter.exactText }, sample);
  if (byIndex) return listCountedMatches(sql, search, byIndex, countedTo);
  const total = search.total ?? (await countMatchingListings(sql, filter, countedTo));
  if (isByRelevance && total <= maxRankedMatches)
    return listCountedMatches(sql, search, [toTextCondition(filter)], countedTo);
  return { ...(await listByScan()), total };
};

/**
 * Removes words that are no longer in any published listing from the table of known words. A listing published while
 * this runs may need a word that is being removed, so all words are collected again afterwards.
 */
export const removeUnusedSearchWords = async (sql: Sql): Promise<void> => {
  await sql`
    DELETE FROM private.search_words known WHERE NOT EXISTS (
      SELECT FROM (
        SELECT DISTINCT unnest(private.words_of(coalesce(folded_text, search_text))) AS word FROM listings
        WHERE status = 'published'
      ) AS used WHERE used.word = known.word)`;
  await sql`SELECT private.collect_search_words()`;
};
