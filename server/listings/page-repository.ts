import type { ListingCard, ListingSort } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json-text.ts';
import type { Fragment, Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/sql-fragments.ts';
import { cardJson, cardSource, pageSource } from './cards.ts';
import type { Position } from './cursor.ts';
import { conditionsOf, type Filter } from './filter.ts';
import { sortOf } from './sorts.ts';
import { hasText } from './text-search.ts';

/** A page of the listings that match a filter, in an order. */
export interface Wanted {
  filter: Filter;
  sort: ListingSort;
  after: Position | undefined;
  limit: number;
}

export interface Page {
  cards: JsonText<ListingCard[]>;
  /** Where the page ended, if there is more. */
  end: Position | undefined;
}

export interface CountedPage extends Page {
  /** Number of matches: exact up to `countedTo`, one above it means "more". */
  total: number;
}

interface PageRow {
  card: JsonText<ListingCard>;
  key: Position['key'];
  createdAt: string;
  id: string;
}

const pageColumns = fragment`
  ${cardJson} AS card, l.id,
  to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"`;

/** Takes the rows of the page and, if more follow, one row after it. */
const cutPage = (rows: readonly PageRow[], limit: number): Page => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    cards: jsonArray(shown.map(({ card }) => card)),
    end: last && { key: last.key, createdAt: last.createdAt, id: last.id },
  };
};

/** Returns conditions that suit an index in the order of a list: each row is checked for the text. */
const inOrder = (filter: Filter): Fragment =>
  conditionsOf(filter, filter.text ? hasText(filter.text) : undefined);

/** Returns a page by scanning the listings in the order of the list. */
export const listInOrder = async (sql: Queryable, wanted: Wanted): Promise<Page> => {
  const { filter, limit } = wanted;
  const { key, orderBy, after } = sortOf(wanted.sort, wanted.after);
  const rows = await sql<PageRow[]>`
    SELECT ${pageColumns}, ${key} AS key
    FROM ${pageSource(fragment`${inOrder(filter)} ${after}`, orderBy, limit + 1)}
    ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  return cutPage(rows, limit);
};

/** Returns how many listings match a filter: exact up to `countedTo`, one more means "more". */
export const countMatches = async (sql: Queryable, filter: Filter, countedTo: number): Promise<number> => {
  const [row] = await sql<{ total: number }[]>`
    SELECT count(*) AS total
    FROM (SELECT FROM listings l WHERE ${inOrder(filter)} LIMIT ${countedTo + 1}) AS matches`;
  return row?.total ?? 0;
};

/**
 * Returns a page of the matches of a text that an index finds, with their number; beyond `countedTo` matches, the page
 * is found by scanning in the order of the list.
 */
export const listByIndex = async (
  sql: Queryable,
  wanted: Wanted,
  byIndex: Fragment,
  countedTo: number,
): Promise<CountedPage> => {
  const { filter, after, limit } = wanted;
  const { key, orderBy, after: further } = sortOf(wanted.sort, after);
  const page = sql`ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const rows = await sql<(PageRow & { total: number })[]>`
    WITH matches AS MATERIALIZED (
      SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location FROM listings l
      WHERE ${conditionsOf(filter, byIndex)} LIMIT ${countedTo + 1}
    ), total AS (SELECT count(*) AS total FROM matches),
    chosen AS (
      (SELECT l.id FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${further} ${page})
      UNION ALL
      (SELECT l.id FROM listings l
      WHERE (SELECT total FROM total) > ${countedTo} AND ${inOrder(filter)} ${further} ${page})
    ), page AS (
      SELECT ${pageColumns}, ${key} AS key, row_number() OVER (ORDER BY ${orderBy}) AS place
      FROM ${cardSource} JOIN chosen ON chosen.id = l.id
    )
    SELECT total.total, page.* FROM total LEFT JOIN page ON true ORDER BY place`;
  const found = rows.filter((row) => row.id !== null);
  return { ...cutPage(found, limit), total: rows[0]?.total ?? 0 };
};
