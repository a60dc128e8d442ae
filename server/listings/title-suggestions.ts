import type { Queryable } from '#server/platform/postgres/database.ts';

/** What may precede a word, besides a blank. */
const separators = '-/("\'&+,.';
const blanks = ' '.repeat(separators.length);
/** Number of newest listings whose titles are searched. */
const lookedAt = 10_000;

export interface TitleRow {
  title: string;
  slug: string;
}

/**
 * Lists titles of published listings that contain the lower-cased text: those with a word that begins with it first, then
 * the newest. Equal titles, ignoring case, appear once. Only the newest 10,000 listings are searched: no index covers titles alone, and suggestions are requested with
 * every pause in typing, so their cost must not grow with the number of listings.
 */
export const listTitles = (sql: Queryable, text: string, limit: number): Promise<TitleRow[]> =>
  sql<TitleRow[]>`
    SELECT title, slug FROM (
      SELECT DISTINCT ON (lower(title)) title, slug, created_at, id FROM (
        SELECT title, slug, created_at, id FROM listings WHERE status = 'published'
        ORDER BY created_at DESC, id DESC LIMIT ${lookedAt}
      ) newest
      WHERE strpos(lower(title), ${text}) > 0
      ORDER BY lower(title), created_at DESC, id DESC
    ) titles
    ORDER BY strpos(' ' || translate(lower(title), ${separators}, ${blanks}), ' ' || ${text}) > 0 DESC,
      created_at DESC, id DESC
    LIMIT ${limit}`;
