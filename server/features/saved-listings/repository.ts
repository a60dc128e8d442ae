import type { SavedListing } from '#contract/saved-listings.ts';
import {
  type PageTimes,
  toPassedCondition,
  toPausedCondition,
  toPublicPageCondition,
  toUnavailableSql,
  withdrawnCondition,
} from '#server/features/listing-visibility/sql.ts';
import { type CardRow, cardColumns, toCardFromClause } from '#server/features/listings/sql.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** Returns the SQL condition for listings that are published, or were sold after a time. */
const toVisibleCondition = ({ soldAfter, today }: PageTimes): Fragment =>
  fragment`(l.hidden_at IS NULL AND l.deleted_at IS NULL
    AND ((l.status = 'published' AND NOT ${toPassedCondition(today)}) OR (l.status = 'sold' AND l.sold_at > ${soldAfter})))`;

/** Returns which of these listings have a public page, and locks them against removal until the transaction ends. */
export const lockVisibleListings = (
  tx: Queryable,
  ids: readonly string[],
  times: PageTimes,
): Promise<readonly { id: string; user_id: string }[]> =>
  tx`SELECT l.id, l.user_id FROM listings l WHERE l.id = ANY (${ids}::uuid[]) AND ${toPublicPageCondition(times)}
    ORDER BY l.id FOR KEY SHARE`;

/**
 * Locks a person until the transaction ends, so that only one transaction at a time changes their
 * saved listings. Returns false when the account does not exist.
 */
export const lockPerson = async (tx: Queryable, userId: string): Promise<boolean> => {
  const { count } = await tx`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return count === 1;
};

/**
 * Saves the given listings in their order, until the person has `limit` saved listings. Skips those that are already
 * saved. Returns the number of newly saved listings. Their save times are a millisecond apart, so that the list keeps
 * the order.
 */
export const insertSavedListings = async (
  tx: Queryable,
  { userId, ids, limit, now }: { userId: string; ids: readonly string[]; limit: number; now: Date },
): Promise<number> => {
  const { count } = await tx`
    INSERT INTO saved_listings (user_id, listing_id, title, price, rental_period, saved_at)
    SELECT ${userId}, l.id, l.title, l.price, l.rental_period, ${now}::timestamptz - (chosen.place - 1) * interval '1 millisecond'
    FROM unnest(${ids as string[]}::uuid[]) WITH ORDINALITY AS chosen (id, place) JOIN listings l ON l.id = chosen.id
    WHERE NOT EXISTS (SELECT FROM saved_listings s WHERE s.user_id = ${userId} AND s.listing_id = l.id)
    ORDER BY chosen.place
    LIMIT greatest(0, ${limit}::int - (SELECT count(*) FROM saved_listings WHERE user_id = ${userId}))`;
  return count;
};

export const isListingSaved = async (sql: Queryable, userId: string, listingId: string): Promise<boolean> => {
  const { count } = await sql`
    SELECT 1 FROM saved_listings WHERE user_id = ${userId} AND listing_id = ${listingId}`;
  return count > 0;
};

/** Lists the ids of the listings that a person saved, most recently saved first. */
export const listSavedListingIds = async (sql: Queryable, userId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT listing_id AS id FROM saved_listings WHERE user_id = ${userId} ORDER BY saved_at DESC, listing_id DESC`;
  return rows.map(({ id }) => id);
};

/** A saved listing. Only one that is still available has the columns of a card. */
export type SavedListingRow = Pick<
  SavedListing,
  'listing_id' | 'saved_title' | 'saved_price' | 'saved_rental_period' | 'unavailable'
> & {
  saved_at: Date;
  /** The time of saving with microseconds, for the cursor. */
  position: string;
} & ({ status: 'unavailable' } | ({ status: 'published' | 'sold' } & CardRow));

/** Lists a person's saved listings, most recently saved first. */
export const listSavedListings = (
  sql: Queryable,
  {
    userId,
    after,
    limit,
    ...times
  }: {
    userId: string;
    after: ListPosition | undefined;
    limit: number;
  } & PageTimes,
): Promise<readonly SavedListingRow[]> => {
  const { today } = times;
  const visible = toVisibleCondition(times);
  const rest = after
    ? fragment`AND (saved_at, listing_id) < (${after.time}::text::timestamptz, ${after.id}::uuid)`
    : fragment``;
  return sql`
    SELECT s.listing_id, s.saved_at, s.price AS saved_price, s.rental_period AS saved_rental_period,
      CASE WHEN l.hidden_at IS NULL THEN s.title END AS saved_title,
      CASE WHEN ${visible} THEN l.status ELSE 'unavailable' END AS status,
      CASE WHEN ${toPublicPageCondition(times)} THEN ${toUnavailableSql(today)} END AS unavailable,
      ${cardColumns}, ${toCursorTimeSql(fragment`s.saved_at`)} AS position
    FROM (
      SELECT * FROM saved_listings WHERE user_id = ${userId} ${rest}
      ORDER BY saved_at DESC, listing_id DESC LIMIT ${limit}
    ) s, ${toCardFromClause(today)}
    WHERE l.id = s.listing_id ORDER BY s.saved_at DESC, s.listing_id DESC`;
};

/** Returns the SQL condition for listings that are not available any more. A paused one may return. */
const toGoneCondition = (today: string): Fragment =>
  fragment`(${toPassedCondition(today)} OR l.status <> 'published'
    AND NOT (${withdrawnCondition} AND ${toPausedCondition(today)} AND l.hidden_at IS NULL AND l.deleted_at IS NULL))`;

export const countSavedListings = async (
  sql: Queryable,
  { userId, today }: { userId: string; today: string },
): Promise<{ total: number; unavailable: number }> => {
  const [counts = { total: 0, unavailable: 0 }] = await sql<{ total: number; unavailable: number }[]>`
    SELECT count(*)::int AS total, (count(*) FILTER (WHERE ${toGoneCondition(today)}))::int AS unavailable
    FROM saved_listings s JOIN listings l ON l.id = s.listing_id WHERE s.user_id = ${userId}`;
  return counts;
};

export const deleteSavedListing = async (
  sql: Queryable,
  userId: string,
  listingId: string,
): Promise<void> => {
  await sql`DELETE FROM saved_listings WHERE user_id = ${userId} AND listing_id = ${listingId}`;
};

export const deleteUnavailableSavedListings = async (
  sql: Queryable,
  { userId, today }: { userId: string; today: string },
): Promise<void> => {
  await sql`
    DELETE FROM saved_listings s USING listings l
    WHERE s.user_id = ${userId} AND l.id = s.listing_id AND ${toGoneCondition(today)}`;
};
