import { type CategoryColumns, categoryColumns } from '#contract/category-fields.ts';
import { reservingDealStates } from '#contract/deal-states.ts';
import { maxListedReservedPeriods } from '#contract/deals.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import {
  sellerActedAtSql,
  toAwayCondition,
  toPassedCondition,
  toUnavailableSql,
} from '#server/features/listing-visibility/sql.ts';
import { type CoverRow, coverColumns, presentCover, toPhotosJsonSql } from '#server/features/photos/sql.ts';
import type { JoinedColumns, LeftJoinedColumns } from '#server/platform/postgres/joined-row.ts';
import {
  columnList,
  type Fragment,
  fragment,
  quoteLiterals,
} from '#server/platform/postgres/sql-fragments.ts';
import { toShownRentalClauses } from './filter.ts';

const toCardJoins = (
  today: string,
): Fragment => fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN LATERAL (
    SELECT d.first_day, d.last_day, d.state <> 'held' AS is_out FROM deals d ${toShownRentalClauses(today)}
  ) AS rental ON true`;

/**
 * Returns the FROM clause for `cardColumns` and `toListingPageColumns`: listings with their sellers, their first photos and the
 * rentals that they show on a day (the campus date, YYYY-MM-DD).
 */
export const toCardFromClause = (today: string): Fragment => fragment`listings l ${toCardJoins(today)}`;

/**
 * The columns of `listings` that a card needs. Sorting copies each row, and most of a row is text
 * that cards do not show.
 */
const sortedColumns = fragment`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at, l.photos,
  l.rental_period, l.is_on_hold, l.rented_until, l.status, l.gift_mode, l.draw_closes_at, l.drawn_at`;

const constantLimitClauses = [
  { rows: 10, limit: fragment`LIMIT 10` },
  { rows: 25, limit: fragment`LIMIT 25` },
  { rows: 101, limit: fragment`LIMIT 101` },
];
const noLimitClause = fragment``;

/**
 * Returns the FROM clause for a page: the first `rows` listings that match a condition, in the given order, joined with
 * what `toCardFromClause` joins. PostgreSQL plans a prepared statement before it knows its parameters and expects a LIMIT
 * given as a parameter to return a tenth of all listings. The constant LIMIT in the inner query tells the planner that
 * only few rows are joined.
 */
export const toPageFromClause = (
  condition: Fragment,
  { orderBy, rows, today }: { orderBy: Fragment; rows: number; today: string },
): Fragment => {
  const bound = constantLimitClauses.find((candidate) => rows <= candidate.rows)?.limit ?? noLimitClause;
  return fragment`(
    SELECT * FROM (SELECT ${sortedColumns} FROM listings l WHERE ${condition} ORDER BY ${orderBy} ${bound}) l
    ORDER BY ${orderBy} LIMIT ${rows}
  ) l ${toCardJoins(today)}`;
};

/** A row with `cardColumns`. */
export type CardRow = Omit<ListingCard, 'created_at' | 'rental' | 'draw' | 'cover' | 'seller'> & {
  created_at: Date;
  is_draw_open: boolean;
  draw_closes_at: Date | null;
} & CoverRow &
  LeftJoinedColumns<'rental', Omit<NonNullable<ListingCard['rental']>, 'pickup_time' | 'return_time'>> &
  JoinedColumns<'seller', ListingCard['seller']>;

/** The columns for `presentListingCard`. They contain only public fields of a published or sold listing. */
export const cardColumns = fragment`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at,
  l.rental_period, l.is_on_hold, l.rented_until, l.draw_closes_at,
  l.category = 'free' AND l.gift_mode = 'draw' AND l.drawn_at IS NULL AND l.status = 'published' AS is_draw_open,
  rental.first_day AS rental_first_day, rental.last_day AS rental_last_day, rental.is_out AS rental_is_out,
  ${coverColumns},
  u.display_name AS seller_name, u.avatar_url AS seller_avatar_url, u.usc_verified AS seller_usc_verified,
  u.rating AS seller_rating, u.review_count AS seller_review_count`;

/** Returns the SQL of the days and times of a rental as JSON, as `rentalPeriodSchema` describes them. */
export const toRentalPeriodJsonSql = (
  rental: Fragment,
): Fragment => fragment`json_strip_nulls(json_build_object(
  'first_day', ${rental}.first_day, 'last_day', ${rental}.last_day,
  'pickup_time', to_char(${rental}.pickup_time, 'HH24:MI'), 'return_time', to_char(${rental}.return_time, 'HH24:MI')))`;

/** Converts a row to a listing as shown in lists. */
export const presentListingCard = (row: CardRow): ListingCard => ({
  id: row.id,
  slug: row.slug,
  user_id: row.user_id,
  title: row.title,
  price: row.price,
  category: row.category,
  condition: row.condition,
  location: row.location,
  game_date: row.game_date,
  created_at: row.created_at.toISOString(),
  rental_period: row.rental_period,
  is_on_hold: row.is_on_hold,
  rented_until: row.rented_until,
  rental:
    row.rental_first_day === null
      ? null
      : { first_day: row.rental_first_day, last_day: row.rental_last_day, is_out: row.rental_is_out },
  ...(row.is_draw_open && row.draw_closes_at && { draw: { closes_at: row.draw_closes_at.toISOString() } }),
  cover: presentCover(row),
  seller: {
    name: row.seller_name,
    avatar_url: row.seller_avatar_url,
    usc_verified: row.seller_usc_verified,
    rating: row.seller_rating,
    review_count: row.seller_review_count,
  },
});

/** A row with the columns of `toListingPageColumns`. */
export type ListingPageRow = CardRow &
  Omit<
    Listing,
    keyof ListingCard | keyof CategoryColumns | 'draw_closes_at' | 'confirmed_at' | 'updated_at'
  > &
  CategoryColumns & {
    confirmed_at: Date | null;
    updated_at: Date;
  };

/**
 * Returns the columns for `presentListing`, which contain only public fields of a listing with a public page. `today` is
 * the current date on the campus, YYYY-MM-DD.
 */
export const toListingPageColumns = (today: string): Fragment => {
  const hasContact = fragment`(l.status = 'published' AND NOT ${toPassedCondition(today)})`;
  return fragment`${cardColumns},
  CASE WHEN u.usc_verified THEN u.role END AS seller_role,
  CASE l.status WHEN 'sold' THEN 'sold' ELSE 'published' END AS status,
  ${toUnavailableSql(today)} AS unavailable, CASE WHEN ${toAwayCondition(today)} THEN l.away_until END AS away_until,
  coalesce((
    SELECT json_agg(${toRentalPeriodJsonSql(fragment`taken`)} ORDER BY taken.first_day, taken.pickup_time NULLS FIRST)
    FROM (
      SELECT d.first_day, d.last_day, d.pickup_time, d.return_time FROM deals d
      WHERE l.category = 'rentals' AND d.listing_id = l.id AND d.kind = 'rental'
        AND d.state IN ${quoteLiterals(reservingDealStates)}
      ORDER BY d.first_day, d.pickup_time NULLS FIRST LIMIT ${maxListedReservedPeriods}
    ) AS taken
  ), '[]') AS taken_days,
  l.is_price_firm, l.gift_mode, l.description,
  CASE WHEN ${hasContact} THEN l.contact_email END AS contact_email,
  CASE WHEN ${hasContact} THEN l.contact_phone END AS contact_phone,
  l.photos, ${toPhotosJsonSql(fragment`l.photos`)} AS images, l.updated_at,
  greatest(l.confirmed_at, ${sellerActedAtSql}) AS confirmed_at,
  ${columnList(categoryColumns.map((column) => `l.${column}`))}`;
};

/** Converts a row to a listing as shown on its own page. */
export const presentListing = (row: ListingPageRow): Listing => ({
  ...presentListingCard(row),
  seller_role: row.seller_role,
  status: row.status,
  unavailable: row.unavailable,
  away_until: row.unavailable === 'away' ? row.away_until : null,
  taken_days: row.taken_days,
  is_price_firm: row.is_price_firm,
  gift_mode: row.gift_mode,
  draw_closes_at: row.draw_closes_at?.toISOString() ?? null,
  description: row.description,
  contact_email: row.contact_email,
  contact_phone: row.contact_phone,
  photos: row.photos,
  images: row.images,
  confirmed_at: row.confirmed_at?.toISOString() ?? null,
  updated_at: row.updated_at.toISOString(),
  ...Object.fromEntries(
    categoryColumns.filter((column) => row[column] !== null).map((column) => [column, row[column]]),
  ),
});
