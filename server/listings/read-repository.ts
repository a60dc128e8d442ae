import type { Category, Condition } from '#contract/categories.ts';
import type { gameDayKinds, ListingSort, sizes } from '#contract/listings.ts';
import { exactTotal } from '#contract/paging.ts';
import type { Photo } from '#contract/photos.ts';
import type { Fragment, Queryable } from '#server/platform/database.ts';
import type { Position } from './cursor.ts';
import type { Days } from './game-days.ts';
import { sortOf } from './sorts.ts';
import { contains, hasText } from './text-search.ts';
import { kindPattern, sizePattern, someKindPattern } from './words.ts';

/** A published listing as a card shows it, with cover and seller. */
export interface CardRow {
  id: string;
  slug: string;
  user_id: string;
  title: string;
  price: number;
  category: Category;
  condition: Condition;
  location: string;
  game_date: string | null;
  created_at: Date;
  cover: Photo | null;
  seller_name: string;
  seller_avatar_url: string | null;
  seller_verified: boolean;
}

export interface DetailRow extends CardRow {
  description: string;
  contact_email: string | null;
  contact_phone: string | null;
  photos: string[];
  images: Photo[];
  updated_at: Date;
}

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

const cardColumns = (sql: Queryable): Fragment => sql`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at,
  CASE WHEN o.url IS NOT NULL THEN
    json_build_object('url', o.url, 'width', o.width, 'height', o.height, 'thumbhash', o.thumbhash) END AS cover,
  u.display_name AS seller_name, u.avatar_url AS seller_avatar_url, u.usc_verified AS seller_verified`;

const cardSource = (sql: Queryable, listings: Fragment = sql`listings`): Fragment => sql`
  ${listings} l JOIN users u ON u.id = l.user_id LEFT JOIN private.objects o ON o.url = l.photos[1]`;

const conditionsOf = (sql: Queryable, filter: Filter): Fragment => {
  const conditions = [sql`l.status = 'published'`];
  if (filter.category) conditions.push(sql`l.category = ${filter.category}`);
  if (filter.text) {
    const found = hasText(sql, filter.text);
    conditions.push(filter.textCategory ? sql`(${found} OR l.category = ${filter.textCategory})` : found);
  }
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
  /** Exact up to exactTotal; one more means "more". */
  total: number;
  /** Where the page ended, if there is more. */
  end: Position | undefined;
}

/** One page of published listings with the number of matches, in one statement. */
export const listPage = async (
  sql: Queryable,
  wanted: { filter: Filter; sort: ListingSort; after: Position | undefined; limit: number },
): Promise<Page> => {
  const { filter, limit, after } = wanted;
  const where = conditionsOf(sql, filter);
  const sort = sortOf(sql, wanted.sort, after);
  // Cut to a page before seller and cover are looked up: an order without an index reads every match.
  const listings = sql`(
    SELECT * FROM listings l WHERE ${where} ${after ? sql`AND ${sort.after}` : sql``}
    ORDER BY ${sort.orderBy} LIMIT ${limit + 1}
  )`;
  const rows = await sql<(CardRow & { total: number; sort_key: Position['key']; created_key: string })[]>`
    WITH total AS (
      SELECT count(*) AS total FROM (SELECT FROM listings l WHERE ${where} LIMIT ${exactTotal + 1}) AS matches
    ), page AS (
      SELECT ${cardColumns(sql)}, ${sort.key} AS sort_key,
        to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_key
      FROM ${cardSource(sql, listings)}
    )
    SELECT total.total, l.* FROM total LEFT JOIN page l ON true ORDER BY ${sort.orderBy}`;
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

/** The newest published listings, uncounted. */
export const listLatest = (sql: Queryable, limit: number): Promise<CardRow[]> =>
  sql<CardRow[]>`
    SELECT ${cardColumns(sql)} FROM ${cardSource(sql)} WHERE l.status = 'published'
    ORDER BY l.created_at DESC, l.id DESC LIMIT ${limit}`;

export const findPublished = async (sql: Queryable, slug: string): Promise<DetailRow | undefined> => {
  const [row] = await sql<DetailRow[]>`
    SELECT ${cardColumns(sql)}, l.description, l.contact_email, l.contact_phone, l.photos, l.updated_at,
      coalesce((
        SELECT json_agg(json_build_object('url', p.url, 'width', p.width, 'height', p.height,
          'thumbhash', p.thumbhash) ORDER BY photo.place)
        FROM unnest(l.photos) WITH ORDINALITY AS photo (url, place)
        JOIN private.objects p ON p.url = photo.url
      ), '[]') AS images
    FROM ${cardSource(sql)}
    WHERE l.slug = ${slug} AND l.status = 'published'`;
  return row;
};

/** The newest others of a published listing's category; undefined when there is no such listing. */
export const listSimilar = async (
  sql: Queryable,
  slug: string,
  limit: number,
): Promise<CardRow[] | undefined> => {
  const rows = await sql<CardRow[]>`
    WITH subject AS (SELECT id, category FROM listings WHERE slug = ${slug} AND status = 'published')
    SELECT card.* FROM subject LEFT JOIN LATERAL (
      SELECT ${cardColumns(sql)} FROM ${cardSource(sql)}
      WHERE l.status = 'published' AND l.category = subject.category AND l.id <> subject.id
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${limit}
    ) AS card ON true
    ORDER BY card.created_at DESC, card.id DESC`;
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null);
};

export interface AddressRow {
  slug: string;
  updated_at: Date;
}

/** Some of the addresses of all published listings, the newest first, with how many there are in all. */
export const listAddresses = async (
  sql: Queryable,
  part: { offset: number; limit: number },
): Promise<{ rows: AddressRow[]; total: number }> => {
  const rows = await sql<(AddressRow & { total: number })[]>`
    WITH total AS (SELECT count(*) AS total FROM listings WHERE status = 'published'),
    part AS (
      SELECT slug, updated_at FROM listings WHERE status = 'published'
      ORDER BY created_at DESC, id DESC OFFSET ${part.offset} LIMIT ${part.limit}
    )
    SELECT total.total, part.* FROM total LEFT JOIN part ON true`;
  return { rows: rows.filter((row) => row.slug !== null), total: rows[0]?.total ?? 0 };
};
