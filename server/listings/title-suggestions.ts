import type { Queryable } from '#server/platform/postgres/database.ts';

/** So many of the newest listings have their titles looked at. */
const lookedAt = 10_000;

export interface TitleRow {
  title: string;
  slug: string;
}

/**
 * Titles of published listings that contain the lower-cased text, the newest first; a title that several have, whatever
 * its case, stands once, for the newest of them. Only the newest 10,000 listings are looked at: no index tells titles
 * from the rest of what search looks through, and this is asked with every pause of somebody who types, so it must not
 * take the longer the more listings there are.
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
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
