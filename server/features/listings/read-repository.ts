import type { ListingSort } from '#contract/listing-queries.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { buildJsonArray, type JsonText } from '#server/platform/json/json-text.ts';
import { toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { elementSeparatorSql, wrapJoinedElementsInArray } from '#server/platform/postgres/sql-json.ts';
import { cardJsonSql, listingJsonSql, toCardFromClause, toPageFromClause } from './cards.ts';
import { type ListingFilter, toFilterCondition } from './filter.ts';
import { type ListingPosition, newestFirst, toSortSql } from './sorts.ts';
import { toTextCondition } from './text-search.ts';

interface CardRow {
  card: JsonText<ListingCard>;
}

const publishedCondition = fragment`l.status = 'published'`;

/** Returns the newest published listings, without counting the others. */
export const listLatestListings = async (
  sql: Queryable,
  { limit, today }: { limit: number; today: string },
): Promise<JsonText<ListingCard[]>> => {
  const page = toPageFromClause(publishedCondition, { orderBy: newestFirst, rows: limit, today });
  const rows = await runStatement<CardRow>(
    sql,
    fragment`SELECT ${cardJsonSql} AS card FROM ${page} ORDER BY ${newestFirst} LIMIT ${limit}`,
  );
  return buildJsonArray(rows.map(({ card }) => card));
};

/** A listing by its slug, if it has a page: published, or sold after `soldAfter`. */
interface PageSubject {
  slug: string;
  soldAfter: Date;
  /** Current date on the campus, YYYY-MM-DD. */
  today: string;
}

const toPageCondition = ({ slug, soldAfter }: PageSubject): Fragment =>
  fragment`l.slug = ${slug} AND l.hidden_at IS NULL AND l.deleted_at IS NULL
    AND (l.status = 'published' OR (l.status = 'sold' AND l.sold_at > ${soldAfter}))`;

export const findListingWithPublicPage = async (
  sql: Queryable,
  subject: PageSubject,
): Promise<JsonText<Listing> | undefined> => {
  const [row] = await runStatement<{ listing: JsonText<Listing> }>(
    sql,
    fragment`SELECT ${listingJsonSql} AS listing FROM ${toCardFromClause(subject.today)} WHERE ${toPageCondition(subject)}`,
  );
  return row?.listing;
};

const otherListingsCondition = fragment`l.status = 'published' AND l.category = subject.category AND l.id <> subject.id`;

/**
 * Returns the newest other listings in the category of a listing, or undefined when this listing has no public page.
 */
export const listSimilarListings = async (
  sql: Queryable,
  subject: PageSubject,
  limit: number,
): Promise<JsonText<ListingCard[]> | undefined> => {
  const page = { orderBy: newestFirst, rows: limit, today: subject.today };
  const rows = await runStatement<CardRow | { card: null }>(
    sql,
    fragment`WITH subject AS (SELECT l.id, l.category FROM listings l WHERE ${toPageCondition(subject)})
    SELECT other.card FROM subject LEFT JOIN LATERAL (
      SELECT ${cardJsonSql} AS card, l.created_at, l.id FROM ${toPageFromClause(otherListingsCondition, page)}
      ORDER BY ${newestFirst} LIMIT ${limit}
    ) AS other ON true
    ORDER BY other.created_at DESC, other.id DESC`,
  );
  return rows.length === 0 ? undefined : buildJsonArray(rows.flatMap(({ card }) => card ?? []));
};

export interface SitemapRow {
  slug: string;
  updated_at: Date;
}

/**
 * Lists a range of the published listings for the site map, newest first, with the total number of
 * published listings and the time of the latest change.
 */
export const listSitemapRows = async (
  sql: Queryable,
  part: { offset: number; limit: number },
): Promise<{ rows: SitemapRow[]; total: number; changedAt: Date | null }> => {
  const rows = await sql<(SitemapRow & { total: number; changed_at: Date | null })[]>`
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
export interface ListingPageRequest {
  filter: ListingFilter;
  sort: ListingSort;
  after: ListingPosition | undefined;
  limit: number;
  /** Current date on the campus, YYYY-MM-DD. */
  today: string;
}

export interface ListingCardPage {
  cards: JsonText<ListingCard[]>;
  /** Position of the last listing on this page, or undefined when no more listings follow. */
  end: ListingPosition | undefined;
}

export interface CountedListingCardPage extends ListingCardPage {
  /** Number of matches: exact up to `countedTo`; `countedTo` + 1 means "more". */
  total: number;
}

const createdAtSql = toCursorTimeSql(fragment`l.created_at`);

/**
 * Returns the SQL condition for scanning the listings in sort order. The filter's text is searched in every row,
 * without an index.
 */
const toScanCondition = (filter: ListingFilter): Fragment =>
  toFilterCondition(filter, filter.text ? toTextCondition(filter.text) : undefined);

/**
 * Returns a page by scanning the listings in sort order. The statement returns the whole page as a
 * single row, because the database driver spends much time on each row.
 */
export const listListingsByScan = async (
  sql: Queryable,
  wanted: ListingPageRequest,
): Promise<ListingCardPage> => {
  const { filter, limit, today } = wanted;
  const { key, orderBy, after } = toSortSql(wanted.sort, wanted.after);
  const condition = fragment`${toScanCondition(filter)} ${after}`;
  const [row] = await runStatement<ListingPosition & { cards: string | null; found: number }>(
    sql,
    fragment`SELECT string_agg(${cardJsonSql}, ${elementSeparatorSql} ORDER BY ${orderBy}) AS cards, count(*) AS found,
      (array_agg(${key} ORDER BY ${orderBy}))[${limit}] AS key,
      ${toCursorTimeSql(fragment`(array_agg(l.created_at ORDER BY ${orderBy}))[${limit}]`)} AS "createdAt",
      (array_agg(l.id ORDER BY ${orderBy}))[${limit}] AS id
    FROM ${toPageFromClause(condition, { orderBy, rows: limit + 1, today })}`,
  );
  if (!row) return { cards: buildJsonArray([]), end: undefined };
  const { cards, found, ...end } = row;
  const more = found > limit;
  return { cards: wrapJoinedElementsInArray(cards, more), end: more ? end : undefined };
};

/** Returns how many listings match a filter: exact up to `countedTo`; `countedTo` + 1 means "more". */
export const countMatchingListings = async (
  sql: Queryable,
  filter: ListingFilter,
  countedTo: number,
): Promise<number> => {
  const [row] = await runStatement<{ total: number }>(
    sql,
    fragment`SELECT count(*) AS total
      FROM (SELECT FROM listings l WHERE ${toScanCondition(filter)} LIMIT ${countedTo + 1}) AS matches`,
  );
  return row?.total ?? 0;
};

/**
 * Returns a page of the listings that contain a text, found with an index, and their number. If there are more than
 * `countedTo` matches, finds the page by scanning in sort order instead.
 */
export const listListingsByIndex = async (
  sql: Queryable,
  wanted: ListingPageRequest,
  byIndex: Fragment,
  countedTo: number,
): Promise<CountedListingCardPage> => {
  const { filter, after, limit } = wanted;
  const { key, orderBy, after: further } = toSortSql(wanted.sort, after);
  const page = fragment`ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const rows = await runStatement<ListingPosition & { card: JsonText<ListingCard>; total: number }>(
    sql,
    fragment`WITH matches AS MATERIALIZED (
      SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location FROM listings l
      WHERE ${toFilterCondition(filter, byIndex)} LIMIT ${countedTo + 1}
    ), total AS (SELECT count(*) AS total FROM matches),
    chosen AS (
      (SELECT l.id FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${further} ${page})
      UNION ALL
      (SELECT l.id FROM listings l
      WHERE (SELECT total FROM total) > ${countedTo} AND ${toScanCondition(filter)} ${further} ${page})
    ), page AS (
      SELECT ${cardJsonSql} AS card, l.id, ${createdAtSql} AS "createdAt", ${key} AS key, row_number() OVER (ORDER BY ${orderBy}) AS place
      FROM ${toCardFromClause(wanted.today)} JOIN chosen ON chosen.id = l.id
    )
    SELECT total.total, page.* FROM total LEFT JOIN page ON true ORDER BY place`,
  );
  const found = rows.filter((row) => row.id !== null);
  const shown = found.slice(0, limit);
  const { key: lastKey = null, createdAt: lastCreated = '', id = '' } = shown.at(-1) ?? {};
  return {
    cards: buildJsonArray(shown.map(({ card }) => card)),
    end: found.length > limit ? { key: lastKey, createdAt: lastCreated, id } : undefined,
    total: rows[0]?.total ?? 0,
  };
};
