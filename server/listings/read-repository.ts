import type { ListingSort } from '#contract/listing-queries.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { joinedElementsToArray, separatorSql } from '#server/platform/postgres/sql-json.ts';
import { cardJson, cardSource, listingJson, pageSource } from './cards.ts';
import { type Filter, toFilterCondition } from './filter.ts';
import { formatMicroseconds, newestFirst, type Position, toSortSql } from './sorts.ts';
import { hasText } from './text-search.ts';

interface CardRow {
  card: JsonText<ListingCard>;
}

const published = fragment`l.status = 'published'`;

/** Returns the newest published listings, without counting the others. */
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

/**
 * Returns the newest other listings in the category of a published listing; undefined when there is no such listing.
 */
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

/**
 * Lists a part of all published listings for the site map, newest first, with their total number and their latest
 * change.
 */
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

/** A request for a page of the listings that match a filter, in a sort order. */
export interface PageRequest {
  filter: Filter;
  sort: ListingSort;
  after: Position | undefined;
  limit: number;
}

export interface Page {
  cards: JsonText<ListingCard[]>;
  /** Position of the last listing; undefined when no more listings follow. */
  end: Position | undefined;
}

export interface CountedPage extends Page {
  /** Number of matches: exact up to `countedTo`; `countedTo` + 1 means "more". */
  total: number;
}

const createdAt = formatMicroseconds(fragment`l.created_at`);

/** Returns the condition for scanning an index in sort order, which checks the text of each row. */
const scanCondition = (filter: Filter): Fragment =>
  toFilterCondition(filter, filter.text ? hasText(filter.text) : undefined);

/**
 * Returns a page by scanning the listings in sort order. The statement returns the whole page as one row, because the
 * driver is slow per row.
 */
export const listByScan = async (sql: Queryable, wanted: PageRequest): Promise<Page> => {
  const { filter, limit } = wanted;
  const { key, orderBy, after } = toSortSql(wanted.sort, wanted.after);
  const [row] = await runStatement<Position & { cards: string | null; found: number }>(
    sql,
    fragment`SELECT string_agg(${cardJson}, ${separatorSql} ORDER BY ${orderBy}) AS cards, count(*) AS found,
      (array_agg(${key} ORDER BY ${orderBy}))[${limit}] AS key,
      ${formatMicroseconds(fragment`(array_agg(l.created_at ORDER BY ${orderBy}))[${limit}]`)} AS "createdAt",
      (array_agg(l.id ORDER BY ${orderBy}))[${limit}] AS id
    FROM ${pageSource(fragment`${scanCondition(filter)} ${after}`, orderBy, limit + 1)}`,
  );
  if (!row) return { cards: jsonArray([]), end: undefined };
  const { cards, found, ...end } = row;
  const more = found > limit;
  return { cards: joinedElementsToArray(cards, more), end: more ? end : undefined };
};

/** Returns how many listings match a filter: exact up to `countedTo`; `countedTo` + 1 means "more". */
export const countMatches = async (sql: Queryable, filter: Filter, countedTo: number): Promise<number> => {
  const [row] = await runStatement<{ total: number }>(
    sql,
    fragment`SELECT count(*) AS total
      FROM (SELECT FROM listings l WHERE ${scanCondition(filter)} LIMIT ${countedTo + 1}) AS matches`,
  );
  return row?.total ?? 0;
};

/**
 * Returns a page of the listings that contain a text, found with an index, and their number. If there are more than
 * `countedTo` matches, finds the page by scanning in sort order instead.
 */
export const listByIndex = async (
  sql: Queryable,
  wanted: PageRequest,
  byIndex: Fragment,
  countedTo: number,
): Promise<CountedPage> => {
  const { filter, after, limit } = wanted;
  const { key, orderBy, after: further } = toSortSql(wanted.sort, after);
  const page = fragment`ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const rows = await runStatement<Position & { card: JsonText<ListingCard>; total: number }>(
    sql,
    fragment`WITH matches AS MATERIALIZED (
      SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location FROM listings l
      WHERE ${toFilterCondition(filter, byIndex)} LIMIT ${countedTo + 1}
    ), total AS (SELECT count(*) AS total FROM matches),
    chosen AS (
      (SELECT l.id FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${further} ${page})
      UNION ALL
      (SELECT l.id FROM listings l
      WHERE (SELECT total FROM total) > ${countedTo} AND ${scanCondition(filter)} ${further} ${page})
    ), page AS (
      SELECT ${cardJson} AS card, l.id, ${createdAt} AS "createdAt", ${key} AS key, row_number() OVER (ORDER BY ${orderBy}) AS place
      FROM ${cardSource} JOIN chosen ON chosen.id = l.id
    )
    SELECT total.total, page.* FROM total LEFT JOIN page ON true ORDER BY place`,
  );
  const found = rows.filter((row) => row.id !== null);
  const shown = found.slice(0, limit);
  const { key: lastKey = null, createdAt: lastCreated = '', id = '' } = shown.at(-1) ?? {};
  return {
    cards: jsonArray(shown.map(({ card }) => card)),
    end: found.length > limit ? { key: lastKey, createdAt: lastCreated, id } : undefined,
    total: rows[0]?.total ?? 0,
  };
};
