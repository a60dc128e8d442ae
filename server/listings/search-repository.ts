import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { toFilterCondition } from './filter.ts';
import {
  type CountedPage,
  countMatches,
  listByIndex,
  listByScan,
  type PageRequest,
} from './read-repository.ts';
import { isCertainlyMoreThan, listNewestTexts, shareContaining } from './samples.ts';
import { hasText, hasTextByIndex } from './text-search.ts';

/**
 * From this share of listings that contain the text, scanning the listings in sort order is faster than using a word
 * index.
 */
const minScanShare = 0.2;
/**
 * The same share when the filter combines two of category, size and kind, for which an index leaves few listings to
 * scan.
 */
const minScanShareWithNarrowFilter = 0.05;
/**
 * Minimum share for trying to prove many matches by a sample; for a rarer text the sample would rarely prove anything.
 */
const minSampleShare = 0.03;

export interface Search extends PageRequest {
  filter: PageRequest['filter'] & { text: string };
  /** Matches are counted up to this number. */
  countedTo: number;
  /** The total, if already known. */
  total: number | undefined;
}

/** Returns a page of the listings that contain a text, and the number of matches. */
export const searchPage = async (sql: Queryable, search: Search): Promise<CountedPage> => {
  const { filter, countedTo } = search;
  const listManyMatches = async () => ({ ...(await listByScan(sql, search)), total: countedTo + 1 });
  if (search.total !== undefined && search.total > countedTo) return listManyMatches();
  const sample = await listNewestTexts(sql);
  const share = shareContaining(filter.text, sample);
  const textCondition = toFilterCondition(filter, hasText(filter.text));
  if (
    share >= minSampleShare &&
    search.total === undefined &&
    (await isCertainlyMoreThan(sql, countedTo, textCondition))
  ) {
    return listManyMatches();
  }
  const hasNarrowFilter = [filter.category, filter.size, filter.kind].filter(Boolean).length > 1;
  const byIndex =
    share < (hasNarrowFilter ? minScanShareWithNarrowFilter : minScanShare) &&
    hasTextByIndex(filter.text, sample);
  if (byIndex) return listByIndex(sql, search, byIndex, countedTo);
  const page = await listByScan(sql, search);
  return { ...page, total: search.total ?? (await countMatches(sql, filter, countedTo)) };
};

/**
 * Removes words that no published listing contains any more from the table of known words. A listing published while
 * this runs may need a word that is being removed, so all words are collected again afterwards.
 */
export const removeUnusedWords = async (sql: Sql): Promise<void> => {
  await sql`
    DELETE FROM private.search_words known WHERE NOT EXISTS (
      SELECT FROM (
        SELECT DISTINCT unnest(private.words_of(search_text)) AS word FROM listings WHERE status = 'published'
      ) AS used WHERE used.word = known.word)`;
  await sql`SELECT private.collect_search_words()`;
};
