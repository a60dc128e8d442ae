import type { ListingCard, ListingSort } from '#contract/listings.ts';
import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, runStatement } from '#server/platform/postgres/sql-fragments.ts';
import { joinedArray, separatorSql } from '#server/platform/postgres/sql-json.ts';
import { cardJson, cardSource, pageSource } from './cards.ts';
import type { Position } from './cursor.ts';
import { conditionsOf, type Filter } from './filter.ts';
import { microseconds, sortOf } from './sorts.ts';
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

const createdAt = microseconds(fragment`l.created_at`);

/** Returns conditions that suit an index in the order of a list: each row is checked for the text. */
const inOrder = (filter: Filter): Fragment =>
  conditionsOf(filter, filter.text ? hasText(filter.text) : undefined);

/** Returns a page by scanning the listings in the order of the list. One row holds all of it: the driver is slow per row. */
export const listInOrder = async (sql: Queryable, wanted: Wanted): Promise<Page> => {
  const { filter, limit } = wanted;
  const { key, orderBy, after } = sortOf(wanted.sort, wanted.after);
  const [row] = await runStatement<Position & { cards: string | null; found: number }>(
    sql,
    fragment`SELECT string_agg(${cardJson}, ${separatorSql} ORDER BY ${orderBy}) AS cards, count(*) AS found,
      (array_agg(${key} ORDER BY ${orderBy}))[${limit}] AS key,
      ${microseconds(fragment`(array_agg(l.created_at ORDER BY ${orderBy}))[${limit}]`)} AS "createdAt",
      (array_agg(l.id ORDER BY ${orderBy}))[${limit}] AS id
    FROM ${pageSource(fragment`${inOrder(filter)} ${after}`, orderBy, limit + 1)}`,
  );
  if (!row) return { cards: jsonArray([]), end: undefined };
  const { cards, found, ...end } = row;
  const more = found > limit;
  return { cards: joinedArray(cards, more), end: more ? end : undefined };
};

/** Returns how many listings match a filter: exact up to `countedTo`, one more means "more". */
export const countMatches = async (sql: Queryable, filter: Filter, countedTo: number): Promise<number> => {
  const [row] = await runStatement<{ total: number }>(
    sql,
    fragment`SELECT count(*) AS total
      FROM (SELECT FROM listings l WHERE ${inOrder(filter)} LIMIT ${countedTo + 1}) AS matches`,
  );
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
  const page = fragment`ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const rows = await runStatement<Position & { card: JsonText<ListingCard>; total: number }>(
    sql,
    fragment`WITH matches AS MATERIALIZED (
      SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location FROM listings l
      WHERE ${conditionsOf(filter, byIndex)} LIMIT ${countedTo + 1}
    ), total AS (SELECT count(*) AS total FROM matches),
    chosen AS (
      (SELECT l.id FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${further} ${page})
      UNION ALL
      (SELECT l.id FROM listings l
      WHERE (SELECT total FROM total) > ${countedTo} AND ${inOrder(filter)} ${further} ${page})
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
