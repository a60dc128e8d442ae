import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { conditionsOf } from './filter.ts';
import { type CountedPage, countMatches, listByIndex, listInOrder, type Wanted } from './read-repository.ts';
import { isCertainlyMoreThan, newestTexts, shareOf } from './samples.ts';
import { hasText, hasTextByIndex } from './text-search.ts';

/** From this share on, scanning the listings in order is faster than an index of words. */
const commonShare = 0.2;
/** The same where an index for two of category, size and kind leaves few listings to scan. */
const commonShareOfFew = 0.05;
/** For a text less common than this a sample would prove hardly anything. */
const manyShare = 0.03;

export interface Search extends Wanted {
  filter: Wanted['filter'] & { text: string };
  /** Matches are counted up to this number. */
  countedTo: number;
  /** The total, if already known. */
  total: number | undefined;
}

/** Returns a page of the listings that contain a text, with the number of matches. */
export const searchPage = async (sql: Queryable, search: Search): Promise<CountedPage> => {
  const { filter, countedTo } = search;
  const many = async () => ({ ...(await listInOrder(sql, search)), total: countedTo + 1 });
  if (search.total !== undefined && search.total > countedTo) return many();
  const sample = await newestTexts(sql);
  const share = shareOf(filter.text, sample);
  const looking = conditionsOf(filter, hasText(filter.text));
  if (
    share >= manyShare &&
    search.total === undefined &&
    (await isCertainlyMoreThan(sql, countedTo, looking))
  ) {
    return many();
  }
  const few = [filter.category, filter.size, filter.kind].filter(Boolean).length > 1;
  const byIndex = share < (few ? commonShareOfFew : commonShare) && hasTextByIndex(filter.text, sample);
  if (byIndex) return listByIndex(sql, search, byIndex, countedTo);
  const page = await listInOrder(sql, search);
  return { ...page, total: search.total ?? (await countMatches(sql, filter, countedTo)) };
};

/**
 * Removes the words that no published listing contains any more. A listing that is published while this runs may need a
 * word that is being removed, so all words are collected again afterwards.
 */
export const removeUnusedWords = async (sql: Sql): Promise<void> => {
  await sql`
    DELETE FROM private.search_words known WHERE NOT EXISTS (
      SELECT FROM (
        SELECT DISTINCT unnest(private.words_of(search_text)) AS word FROM listings WHERE status = 'published'
      ) AS used WHERE used.word = known.word)`;
  await sql`SELECT private.collect_search_words()`;
};
