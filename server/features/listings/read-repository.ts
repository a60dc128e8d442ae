import type { ListingSort } from '#contract/listing-queries.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import {
  type PageTimes,
  toIndexedListedCondition,
  toListedCondition,
  toPublicPageCondition,
} from '#server/features/listing-visibility/sql.ts';
import { toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, joinFragments } from '#server/platform/postgres/sql-fragments.ts';
import {
  type CardRow,
  cardColumns,
  type ListingPageRow,
  presentListing,
  presentListingCard,
  toCardFromClause,
  toListingPageColumns,
  toPageFromClause,
} from './cards.ts';
import { type ListingFilter, listTextAlternatives, toFilterCondition } from './filter.ts';
import { type ListingPosition, newestFirst, toSortSql } from './sorts.ts';
import { toTextCondition, toTitleRankSql } from './text-search.ts';

/** Returns the newest listings, without counting the others. */
export const listLatestListings = async (
  sql: Queryable,
  { limit, today }: { limit: number; today: string },
): Promise<ListingCard[]> => {
  const page = toPageFromClause(toListedCondition(today), { orderBy: newestFirst, rows: limit, today });
  const rows = await sql<
    CardRow[]
  >`SELECT ${cardColumns} FROM ${page} ORDER BY ${newestFirst} LIMIT ${limit}`;
  return rows.map(presentListingCard);
};

/** A listing by its slug, if it has a page. */
interface PageSubject extends PageTimes {
  slug: string;
}

const toPageCondition = (subject: PageSubject): Fragment =>
  fragment`l.slug = ${subject.slug} AND ${toPublicPageCondition(subject)}`;

export const findListingWithPublicPage = async (
  sql: Queryable,
  subject: PageSubject,
): Promise<Listing | undefined> => {
  const [row] = await sql<
    ListingPageRow[]
  >`SELECT ${toListingPageColumns(subject.today)} FROM ${toCardFromClause(subject.today)} WHERE ${toPageCondition(subject)}`;
  return row && presentListing(row);
};

/**
 * Returns the newest other listings in the category of a listing, or undefined when this listing has no public page.
 */
export const listSimilarListings = async (
  sql: Queryable,
  subject: PageSubject,
  limit: number,
): Promise<ListingCard[] | undefined> => {
  const page = { orderBy: newestFirst, rows: limit, today: subject.today };
  const others = fragment`${toListedCondition(subject.today)} AND l.category = subject.category AND l.id <> subject.id`;
  const rows = await sql<
    (CardRow | { id: null })[]
  >`WITH subject AS (SELECT l.id, l.category FROM listings l WHERE ${toPageCondition(subject)})
    SELECT other.* FROM subject LEFT JOIN LATERAL (
      SELECT ${cardColumns} FROM ${toPageFromClause(others, page)}
      ORDER BY ${newestFirst} LIMIT ${limit}
    ) AS other ON true
    ORDER BY other.created_at DESC, other.id DESC`;
  return rows.length === 0
    ? undefined
    : rows.flatMap((row) => (row.id === null ? [] : presentListingCard(row)));
};

export interface SitemapRow {
  slug: string;
  updated_at: Date;
}

/**
 * Lists a range of all listings for the site map, newest first, with their total number and the time of the latest
 * change.
 */
export const listSitemapRows = async (
  sql: Queryable,
  part: { offset: number; limit: number; today: string },
): Promise<{ rows: SitemapRow[]; total: number; changedAt: Date | null }> => {
  const listed = toListedCondition(part.today);
  const rows = await sql<(SitemapRow & { total: number; changed_at: Date | null })[]>`
    WITH total AS (
      SELECT count(*) AS total, max(l.updated_at) AS changed_at FROM listings l WHERE ${listed}
    ),
    part AS (
      SELECT l.slug, l.updated_at FROM listings l WHERE ${listed}
      ORDER BY ${newestFirst} OFFSET ${part.offset} LIMIT ${part.limit}
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
}

export interface ListingCardPage {
  cards: ListingCard[];
  /** Position of the last listing on this page, or undefined when no more listings follow. */
  end: ListingPosition | undefined;
}

export interface CountedListingCardPage extends ListingCardPage {
  /** Number of matches: exact up to `countedTo`; `countedTo` + 1 means "more". */
  total: number;
}

/** A row with `toPageColumns`: a listing with its position in the sort order of the page. */
type PageRow = CardRow & ListingPosition;

/** Returns the columns for `presentPage`. `key` is the sort key of the page. */
const toPageColumns = (key: Fragment): Fragment =>
  fragment`${cardColumns}, ${key} AS key, ${toCursorTimeSql(fragment`l.created_at`)} AS "createdAt"`;

/** Converts rows to a page. There is one row more than the page shows if more listings follow. */
const presentPage = (rows: readonly PageRow[], limit: number): ListingCardPage => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    cards: shown.map(presentListingCard),
    end: last && { key: last.key, createdAt: last.createdAt, id: last.id },
  };
};

/**
 * Returns the SQL condition for scanning the listings in sort order. The filter's text is searched in every row,
 * without an index.
 */
const toScanCondition = (filter: ListingFilter, listed?: Fragment): Fragment =>
  toFilterCondition(
    filter,
    filter.text ? toTextCondition({ text: filter.text, exactText: filter.exactText }) : undefined,
    listed,
  );

/** Returns a page by scanning the listings in sort order, which must not be the order by relevance. */
export const listListingsByScan = async (
  sql: Queryable,
  wanted: ListingPageRequest,
): Promise<ListingCardPage> => {
  const { filter, limit } = wanted;
  const { key, orderBy, after } = toSortSql(wanted.sort, wanted.after);
  const page = toPageFromClause(fragment`${toScanCondition(filter)} ${after}`, {
    orderBy,
    rows: limit + 1,
    today: filter.today,
  });
  const rows = await sql<PageRow[]>`SELECT ${toPageColumns(key)} FROM ${page} ORDER BY ${orderBy}`;
  return presentPage(rows, limit);
};

/** Returns how many listings match a filter: exact up to `countedTo`; `countedTo` + 1 means "more". */
export const countMatchingListings = async (
  sql: Queryable,
  filter: ListingFilter,
  countedTo: number,
): Promise<number> => {
  const [row] = await sql<{ total: number }[]>`SELECT count(*) AS total
    FROM (
      SELECT FROM listings l WHERE ${toScanCondition(filter, toIndexedListedCondition(filter.today))}
      LIMIT ${countedTo + 1}) AS matches`;
  return row?.total ?? 0;
};

/**
 * Returns a page of the listings that contain a text, and their number, after finding all matches. Each match meets
 * exactly one of `textConditions`, which may use indexes. If there are more than `countedTo` matches, finds the page by
 * scanning in sort order instead, or in the order of the newest if the matches should be sorted by relevance.
 */
export const listCountedMatches = async (
  sql: Queryable,
  wanted: ListingPageRequest & { filter: { text: string } },
  textConditions: readonly Fragment[],
  countedTo: number,
): Promise<CountedListingCardPage> => {
  const { filter, after, limit, sort } = wanted;
  const isByRelevance = sort === 'relevance';
  const found = toSortSql(sort, after);
  const scanned = isByRelevance ? toSortSql('newest', after) : found;
  const titleRank = isByRelevance ? toTitleRankSql(filter) : fragment`NULL::int`;
  const key = isByRelevance ? fragment`chosen.title_rank` : found.key;
  const alternatives = listTextAlternatives(filter);
  const matches = textConditions
    .map((condition, index) =>
      // The listings that match whatever their texts contain are among the first ones.
      index > 0 && alternatives.length > 0
        ? toFilterCondition(
            { ...filter, textCategory: undefined, textIsbn: undefined },
            fragment`${condition} AND (${joinFragments(alternatives, ' OR ')}) IS NOT TRUE`,
          )
        : toFilterCondition(filter, condition),
    )
    .map(
      (where) =>
        fragment`SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location, ${titleRank} AS title_rank
          FROM listings l WHERE ${where}`,
    )
    .reduce((all, next) => fragment`${all} UNION ALL ${next}`);
  const rows = await sql<((PageRow | { id: null }) & { total: number })[]>`WITH matches AS MATERIALIZED (
      ${matches} LIMIT ${countedTo + 1}
    ), total AS (SELECT count(*) AS total FROM matches),
    chosen AS (
      (SELECT l.id, l.title_rank FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${found.after}
      ORDER BY ${found.orderBy} LIMIT ${limit + 1})
      UNION ALL
      (SELECT l.id, NULL FROM listings l
      WHERE (SELECT total FROM total) > ${countedTo} AND ${toScanCondition(filter)} ${scanned.after}
      ORDER BY ${scanned.orderBy} LIMIT ${limit + 1})
    ), page AS (
      SELECT ${toPageColumns(key)}, row_number() OVER (ORDER BY chosen.title_rank, ${scanned.orderBy}) AS place
      FROM ${toCardFromClause(filter.today)} JOIN chosen ON chosen.id = l.id
    )
    SELECT total.total, page.* FROM total LEFT JOIN page ON true ORDER BY place`;
  const page = rows.filter((row) => row.id !== null);
  return { ...presentPage(page, limit), total: rows[0]?.total ?? 0 };
};

/** Maximum number of courses in the site map. */
const maxListedCourses = 900;

/** Returns the courses of which books are offered. */
export const listListedCourses = async (sql: Queryable, today: string): Promise<string[]> =>
  (
    await sql<{ course: string }[]>`
      SELECT DISTINCT course FROM listings l WHERE l.course IS NOT NULL AND ${toListedCondition(today)}
      ORDER BY course LIMIT ${maxListedCourses}`
  ).map(({ course }) => course);
