import { maxTitleSuggestions } from '#contract/paging.ts';
import { toListedCondition } from '#server/features/listing-visibility/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import { foldedTitleSql, toContainsCondition } from './text-search.ts';

/** Characters that may precede a word, besides a space. */
const wordSeparators = '-/("\'&+,.';
const separatorReplacements = ' '.repeat(wordSeparators.length);
/** Number of newest listings whose titles are searched. */
const maxSearchedListings = 10_000;

export interface TitleRow {
  title: string;
  slug: string;
  user_id: string;
}

/**
 * Lists titles of published listings that contain the folded text: those in which a word begins with it first,
 * then the newest. Titles that differ only in case appear once, or once for each of their `sellersPerTitle` newest
 * sellers; in that case more than six titles of one seller come last. Only the newest 10,000 listings are searched: no
 * index covers titles alone, and every pause in typing requests suggestions, so their cost must not grow with the number
 * of listings.
 */
export const listTitleSuggestions = (
  sql: Queryable,
  text: string,
  { sellersPerTitle, limit, today }: { sellersPerTitle: number; limit: number; today: string },
): Promise<readonly TitleRow[]> => {
  const folded = fragment`folded_title`;
  const matches = fragment`
    SELECT title, folded_title, slug, user_id, created_at, id FROM (
      SELECT l.title, ${foldedTitleSql} AS folded_title, l.slug, l.user_id, l.created_at, l.id FROM listings l
      WHERE ${toListedCondition(today)}
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${maxSearchedListings}
    ) newest
    WHERE ${toContainsCondition(folded, text)}`;
  // One seller per title, which most people get, needs one sort less.
  const titles =
    sellersPerTitle === 1
      ? fragment`SELECT DISTINCT ON (lower(title)) * FROM (${matches}) matches ORDER BY lower(title), created_at DESC, id DESC`
      : fragment`
          SELECT * FROM (
            SELECT *, row_number() OVER (PARTITION BY lower(title) ORDER BY created_at DESC, id DESC) AS rank FROM (
              SELECT DISTINCT ON (lower(title), user_id) * FROM (${matches}) matches
              ORDER BY lower(title), user_id, created_at DESC, id DESC
            ) of_each_seller
          ) ranked
          WHERE rank <= ${sellersPerTitle}`;
  const order = fragment`
    strpos(' ' || translate(folded_title, ${wordSeparators}, ${separatorReplacements}), ' ' || ${text}) > 0 DESC,
    created_at DESC, id DESC`;
  // Titles of one seller beyond those that can be shown come last, so that they do not displace those of others.
  const sellerOrder: Fragment =
    sellersPerTitle === 1
      ? fragment``
      : fragment`row_number() OVER (PARTITION BY user_id ORDER BY ${order}) > ${maxTitleSuggestions},`;
  return sql<
    TitleRow[]
  >`SELECT title, slug, user_id FROM (${titles}) titles ORDER BY ${sellerOrder} ${order} LIMIT ${limit}`;
};
