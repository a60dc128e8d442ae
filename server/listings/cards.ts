import type { Listing, ListingCard } from '#contract/listings.ts';
import { photoFields } from '#server/photos/sql.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import {
  arrayOf,
  json,
  jsonSql,
  nullable,
  object,
  objectIf,
  written,
} from '#server/platform/postgres/sql-json.ts';

const joins = fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]`;

/** The FROM clause for `cardJson` and `listingJson`: listings with their sellers and first photos. */
export const cardSource = fragment`listings l ${joins}`;

/**
 * The columns of `listings` that a card needs. Sorting copies each row, and most of a row is text that no card shows.
 */
const cardColumns = fragment`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at, l.photos`;

const constantLimits = [
  { rows: 10, limit: fragment`LIMIT 10` },
  { rows: 25, limit: fragment`LIMIT 25` },
  { rows: 101, limit: fragment`LIMIT 101` },
];
const noLimit = fragment``;

/**
 * Returns the FROM clause for a page: the first `rows` listings that match a condition, in an order. PostgreSQL plans a
 * prepared statement before it knows its parameters and expects a LIMIT given as a parameter to return a tenth of all
 * listings. The constant LIMIT in the inner query tells the planner that only few rows are joined.
 */
export const pageSource = (condition: Fragment, orderBy: Fragment, rows: number): Fragment => {
  const bound = constantLimits.find((candidate) => rows <= candidate.rows)?.limit ?? noLimit;
  return fragment`(
    SELECT * FROM (SELECT ${cardColumns} FROM listings l WHERE ${condition} ORDER BY ${orderBy} ${bound}) l
    ORDER BY ${orderBy} LIMIT ${rows}
  ) l ${joins}`;
};

const cardFields = {
  id: json.word('l.id'),
  slug: json.word('l.slug'),
  user_id: json.word('l.user_id'),
  title: json.text('l.title'),
  price: json.number('l.price'),
  category: json.word('l.category'),
  condition: json.word('l.condition'),
  location: json.text('l.location'),
  game_date: nullable.word('l.game_date'),
  created_at: json.instant('l.created_at'),
  cover: objectIf('cover.url IS NOT NULL', photoFields('cover')),
  seller: object({
    name: json.text('u.display_name'),
    avatar_url: nullable.text('u.avatar_url'),
    usc_verified: json.boolean('u.usc_verified'),
  }),
} satisfies Record<keyof ListingCard, unknown>;

const listingFields = {
  ...cardFields,
  seller_role: nullable.word('CASE WHEN u.usc_verified THEN u.role END'),
  status: json.word('l.status'),
  description: json.text('l.description'),
  contact_email: nullable.text('l.contact_email'),
  contact_phone: nullable.text('l.contact_phone'),
  photos: written('to_json(l.photos)'),
  images: arrayOf(
    photoFields('p'),
    'unnest(l.photos) WITH ORDINALITY AS shown (url, place) JOIN private.objects p ON p.url = shown.url',
    'place',
  ),
  updated_at: json.instant('l.updated_at'),
} satisfies Record<keyof Listing, unknown>;

/** A published listing as shown in lists, as JSON; contains only public fields. */
export const cardJson = jsonSql(object(cardFields));

/** A published listing as shown on its own page, as JSON; contains only public fields. */
export const listingJson = jsonSql(object(listingFields));
