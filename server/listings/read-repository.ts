import type { Listing, ListingCard } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { cardJson, cardSource, listingJson, pageSource } from './cards.ts';
import { newestFirst } from './sorts.ts';

interface CardRow {
  card: JsonText<ListingCard>;
}

const published = fragment`l.status = 'published'`;

/** Returns the newest published listings, uncounted. */
export const listLatest = async (sql: Queryable, limit: number): Promise<JsonText<ListingCard[]>> => {
  const rows = await runStatement<CardRow>(
    sql,
    fragment`SELECT ${cardJson} AS card FROM ${pageSource(published, newestFirst, limit)}
      ORDER BY ${newestFirst} LIMIT ${limit}`,
  );
  return jsonArray(rows.map(({ card }) => card));
};

export const findPublished = async (sql: Queryable, slug: string): Promise<JsonText<Listing> | undefined> => {
  const [row] = await runStatement<{ listing: JsonText<Listing> }>(
    sql,
    fragment`SELECT ${listingJson} AS listing FROM ${cardSource} WHERE l.slug = ${slug} AND l.status = 'published'`,
  );
  return row?.listing;
};

const others = fragment`l.status = 'published' AND l.category = subject.category AND l.id <> subject.id`;

/** Returns the newest others of a published listing's category; undefined when there is no such listing. */
export const listSimilar = async (
  sql: Queryable,
  slug: string,
  limit: number,
): Promise<JsonText<ListingCard[]> | undefined> => {
  const rows = await runStatement<CardRow | { card: null }>(
    sql,
    fragment`WITH subject AS (SELECT id, category FROM listings WHERE slug = ${slug} AND status = 'published')
    SELECT other.card FROM subject LEFT JOIN LATERAL (
      SELECT ${cardJson} AS card, l.created_at, l.id FROM ${pageSource(others, newestFirst, limit)}
      ORDER BY ${newestFirst} LIMIT ${limit}
    ) AS other ON true
    ORDER BY other.created_at DESC, other.id DESC`,
  );
  return rows.length === 0 ? undefined : jsonArray(rows.flatMap(({ card }) => card ?? []));
};

export interface AddressRow {
  slug: string;
  updated_at: Date;
}

/** Lists a page of the URLs of all published listings, newest first, with totals. */
export const listAddresses = async (
  sql: Queryable,
  part: { offset: number; limit: number },
): Promise<{ rows: AddressRow[]; total: number; changedAt: Date | null }> => {
  const rows = await sql<(AddressRow & { total: number; changed_at: Date | null })[]>`
    WITH total AS (
      SELECT count(*) AS total, max(updated_at) AS changed_at FROM listings WHERE status = 'published'
    ),
    part AS (
      SELECT slug, updated_at FROM listings WHERE status = 'published'
      ORDER BY created_at DESC, id DESC OFFSET ${part.offset} LIMIT ${part.limit}
    )
    SELECT total.*, part.* FROM total LEFT JOIN part ON true`;
  const [{ total, changed_at: changedAt } = { total: 0, changed_at: null }] = rows;
  return { rows: rows.filter((row) => row.slug !== null), total, changedAt };
};
