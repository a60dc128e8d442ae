import { reservingDealStates } from '#contract/deal-states.ts';
import { maxListedReservedPeriods } from '#contract/deals.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { buildPhotoJsonFields } from '#server/features/photos/sql.ts';
import { type Fragment, fragment, quoteLiterals } from '#server/platform/postgres/sql-fragments.ts';
import {
  columnJson,
  nullableColumnJson,
  toArrayJsonPieces,
  toConditionalObjectJsonPieces,
  toJsonTextSql,
  toObjectJsonPieces,
  toRawJsonPieces,
} from '#server/platform/postgres/sql-json.ts';
import { toShownRentalClauses } from './filter.ts';

const toCardJoins = (
  today: string,
): Fragment => fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN LATERAL (
    SELECT d.first_day, d.last_day, d.state <> 'held' AS is_out FROM deals d ${toShownRentalClauses(today)}
  ) AS rental ON true`;

/**
 * Returns the FROM clause for `cardJsonSql` and `listingJsonSql`: listings with their sellers, their first photos and the
 * rentals that they show on a day (the campus date, YYYY-MM-DD).
 */
export const toCardFromClause = (today: string): Fragment => fragment`listings l ${toCardJoins(today)}`;

/**
 * The columns of `listings` that a card needs. Sorting copies each row, and most of a row is text
 * that cards do not show.
 */
const cardColumns = fragment`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at, l.photos,
  l.rental_period, l.is_on_hold, l.rented_until`;

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
    SELECT * FROM (SELECT ${cardColumns} FROM listings l WHERE ${condition} ORDER BY ${orderBy} ${bound}) l
    ORDER BY ${orderBy} LIMIT ${rows}
  ) l ${toCardJoins(today)}`;
};

const cardFields = {
  id: columnJson.word('l.id'),
  slug: columnJson.word('l.slug'),
  user_id: columnJson.word('l.user_id'),
  title: columnJson.text('l.title'),
  price: columnJson.number('l.price'),
  category: columnJson.word('l.category'),
  condition: columnJson.word('l.condition'),
  location: columnJson.text('l.location'),
  game_date: nullableColumnJson.word('l.game_date'),
  created_at: columnJson.instant('l.created_at'),
  rental_period: columnJson.word('l.rental_period'),
  is_on_hold: columnJson.boolean('l.is_on_hold'),
  rented_until: nullableColumnJson.word('l.rented_until'),
  rental: toConditionalObjectJsonPieces('rental.first_day IS NOT NULL', {
    first_day: columnJson.word('rental.first_day'),
    last_day: columnJson.word('rental.last_day'),
    is_out: columnJson.boolean('rental.is_out'),
  }),
  cover: toConditionalObjectJsonPieces('cover.url IS NOT NULL', buildPhotoJsonFields('cover')),
  seller: toObjectJsonPieces({
    name: columnJson.text('u.display_name'),
    avatar_url: nullableColumnJson.text('u.avatar_url'),
    usc_verified: columnJson.boolean('u.usc_verified'),
    rating: nullableColumnJson.number('u.rating'),
    review_count: columnJson.number('u.review_count'),
  }),
} satisfies Record<keyof ListingCard, unknown>;

const listingJsonFields = {
  ...cardFields,
  seller_role: nullableColumnJson.word('CASE WHEN u.usc_verified THEN u.role END'),
  status: columnJson.word('l.status'),
  taken_days: toArrayJsonPieces(
    { first_day: columnJson.word('taken.first_day'), last_day: columnJson.word('taken.last_day') },
    `(SELECT d.first_day, d.last_day FROM deals d
      WHERE l.category = 'rentals' AND d.listing_id = l.id AND d.kind = 'rental' AND d.state IN ${quoteLiterals(reservingDealStates).text}
      ORDER BY d.first_day LIMIT ${maxListedReservedPeriods}) AS taken`,
    'taken.first_day',
  ),
  is_price_firm: columnJson.boolean('l.is_price_firm'),
  gift_mode: columnJson.word('l.gift_mode'),
  draw_closes_at: nullableColumnJson.instant('l.draw_closes_at'),
  description: columnJson.text('l.description'),
  contact_email: nullableColumnJson.text(`CASE WHEN l.status = 'published' THEN l.contact_email END`),
  contact_phone: nullableColumnJson.text(`CASE WHEN l.status = 'published' THEN l.contact_phone END`),
  photos: toRawJsonPieces('to_json(l.photos)'),
  images: toArrayJsonPieces(
    buildPhotoJsonFields('p'),
    'unnest(l.photos) WITH ORDINALITY AS shown (url, place) JOIN private.objects p ON p.url = shown.url',
    'place',
  ),
  updated_at: columnJson.instant('l.updated_at'),
} satisfies Record<keyof Listing, unknown>;

/** JSON of a published listing as shown in lists. It contains only public fields. */
export const cardJsonSql = toJsonTextSql(toObjectJsonPieces(cardFields));

/** JSON of a published or sold listing as shown on its own page. It contains only public fields. */
export const listingJsonSql = toJsonTextSql(toObjectJsonPieces(listingJsonFields));
