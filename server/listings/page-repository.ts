import type { Category, Condition } from '#contract/categories.ts';
import type { gameDayKinds, ListingSort, sizes } from '#contract/listings.ts';
import type { Fragment, Queryable } from '#server/platform/database.ts';
import { type CardRow, cardColumns, cardSource } from './cards.ts';
import type { Position } from './cursor.ts';
import type { Days } from './game-days.ts';
import { surelyMoreThan } from './many-matches.ts';
import { newestTexts, shareOf } from './newest-texts.ts';
import { sortOf } from './sorts.ts';
import { contains, hasText, hasTextByIndex } from './text-search.ts';
import { kindPattern, sizePattern, someKindPattern } from './words.ts';

/** What a list is narrowed down to; everything optional. */
export interface Filter {
  category?: Category | undefined;
  /** Lower-cased text to be found anywhere in what search looks through. */
  text?: string | undefined;
  /** A category whose label, which depends on the campus, contains the text. */
  textCategory?: Category | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  condition?: Condition | undefined;
  location?: string | undefined;
  verified?: boolean | undefined;
  gameDays?: Days | undefined;
  size?: (typeof sizes)[number] | undefined;
  kind?: (typeof gameDayKinds)[number] | undefined;
}

/** `text` is how the filter's text is to be found, if it has one. */
const conditionsOf = (sql: Queryable, filter: Filter, text: Fragment | undefined): Fragment => {
  const conditions = [sql`l.status = 'published'`];
  if (filter.category) conditions.push(sql`l.category = ${filter.category}`);
  if (text)
    conditions.push(filter.textCategory ? sql`(l.category = ${filter.textCategory} OR ${text})` : text);
  if (filter.minPrice !== undefined) conditions.push(sql`l.price >= ${filter.minPrice}`);
  if (filter.maxPrice !== undefined) conditions.push(sql`l.price <= ${filter.maxPrice}`);
  if (filter.condition) conditions.push(sql`l.condition = ${filter.condition}`);
  if (filter.location)
    conditions.push(sql`lower(l.location) LIKE ${contains(filter.location.toLowerCase())}`);
  if (filter.verified) {
    conditions.push(sql`EXISTS (SELECT FROM users v WHERE v.id = l.user_id AND v.usc_verified)`);
  }
  if (filter.gameDays) {
    conditions.push(sql`l.game_date BETWEEN ${filter.gameDays.from} AND ${filter.gameDays.to}`);
  }
  if (filter.size) conditions.push(sql`l.title || ' ' || l.description ~ ${sizePattern(filter.size)}`);
  if (filter.kind) {
    const pattern = kindPattern(filter.kind);
    conditions.push(
      sql`CASE WHEN l.title ~* ${someKindPattern} THEN l.title ~* ${pattern} ELSE l.description ~* ${pattern} END`,
    );
  }
  return conditions.reduce((all, next) => sql`${all} AND ${next}`);
};

export interface Page {
  rows: CardRow[];
  /** Exact as far as it was to be counted; one more means "more". */
  total: number;
  /** Where the page ended, if there is more. */
  end: Position | undefined;
}

interface Wanted {
  filter: Filter;
  sort: ListingSort;
  after: Position | undefined;
  limit: number;
  /** As far as matches are counted. */
  countedTo: number;
}

/** The statement of a page: `ways` name, in SQL, a `total` and the ids of the page as `chosen`. */
const readPage = async (sql: Queryable, { sort, limit }: Wanted, ways: Fragment): Promise<Page> => {
  const { key, orderBy } = sortOf(sql, sort, undefined);
  const rows = await sql<(CardRow & { total: number; sort_key: Position['key']; created_key: string })[]>`
    WITH ${ways}, page AS (
      SELECT ${cardColumns(sql)}, ${key} AS sort_key,
        to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_key
      FROM ${cardSource(sql)} JOIN chosen ON chosen.id = l.id
    )
    SELECT total.total, l.* FROM total LEFT JOIN page l ON true ORDER BY ${orderBy}`;
  const found = rows.filter((row) => row.id !== null);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    total: rows[0]?.total ?? 0,
    end:
      found.length > limit && last
        ? { key: last.sort_key, createdAt: last.created_key, id: last.id }
        : undefined,
  };
};

/** A page found by going through the listings in the order of the list; counted but for what is known to be many. */
const pageByOrder = (sql: Queryable, wanted: Wanted, many = false): Promise<Page> => {
  const { filter, limit, after, countedTo } = wanted;
  const where = conditionsOf(sql, filter, filter.text ? hasText(sql, filter.text) : undefined);
  const sort = sortOf(sql, wanted.sort, after);
  const most = countedTo + 1;
  const total = many
    ? sql`SELECT ${most}::bigint AS total`
    : sql`SELECT count(*) AS total FROM (SELECT FROM listings l WHERE ${where} LIMIT ${most}) AS matches`;
  return readPage(
    sql,
    wanted,
    sql`
      total AS (
        ${total}
      ), chosen AS (
        SELECT l.id FROM listings l WHERE ${where} ${after ? sql`AND ${sort.after}` : sql``}
        ORDER BY ${sort.orderBy} LIMIT ${limit + 1}
      )`,
  );
};

/** A page out of all matches of a text; where they are too many to be all, the first by order. */
const pageByIndex = (sql: Queryable, wanted: Wanted, text: string, byIndex: Fragment): Promise<Page> => {
  const { filter, limit, after, countedTo } = wanted;
  const sort = sortOf(sql, wanted.sort, after);
  const further = after ? sql`AND ${sort.after}` : sql``;
  const page = sql`ORDER BY ${sort.orderBy} LIMIT ${limit + 1}`;
  return readPage(
    sql,
    wanted,
    sql`
      matches AS MATERIALIZED (
        SELECT l.id, l.created_at, l.price, l.game_date, l.condition, l.location FROM listings l
        WHERE ${conditionsOf(sql, filter, byIndex)} LIMIT ${countedTo + 1}
      ), total AS (SELECT count(*) AS total FROM matches),
      chosen AS (
        (SELECT l.id FROM matches l WHERE (SELECT total FROM total) <= ${countedTo} ${further} ${page})
        UNION ALL
        (SELECT l.id FROM listings l
        WHERE (SELECT total FROM total) > ${countedTo} AND ${conditionsOf(sql, filter, hasText(sql, text))} ${further}
        ${page})
      )`,
  );
};

/** From this share on, looking through the listings in order finds enough of them sooner than an index. */
const commonShare = 0.2;
/** Of a text less common than this a sample would hardly prove anything. */
const manyShare = 0.03;

/** One page of published listings with the number of matches. */
export const listPage = async (sql: Queryable, wanted: Wanted): Promise<Page> => {
  const { text } = wanted.filter;
  if (!text) return pageByOrder(sql, wanted);
  const sample = await newestTexts(sql);
  const share = shareOf(text, sample);
  const looking = conditionsOf(sql, wanted.filter, hasText(sql, text));
  if (share >= manyShare && (await surelyMoreThan(sql, wanted.countedTo, looking))) {
    return pageByOrder(sql, wanted, true);
  }
  const byIndex = share < commonShare && hasTextByIndex(sql, text, sample);
  return byIndex ? pageByIndex(sql, wanted, text, byIndex) : pageByOrder(sql, wanted);
};
