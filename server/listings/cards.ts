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

/** The tables that the JSON below reads. */
export const cardSource = fragment`listings l ${joins}`;

/** Of the listings themselves: a row is copied on its way, and most of it is text that no card shows. */
const cardColumns = fragment`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at, l.photos`;

const bounds = [
  { rows: 10, limit: fragment`LIMIT 10` },
  { rows: 25, limit: fragment`LIMIT 25` },
  { rows: 101, limit: fragment`LIMIT 101` },
];
const unbounded = fragment``;

/**
 * Returns the same for a page: the first `rows` of the listings that match a condition, in an order. A prepared statement
 * is planned before its parameters are known, for a tenth of all listings where one is the limit. A constant limit below
 * tells the planner that there are few rows to join.
 */
export const pageSource = (condition: Fragment, orderBy: Fragment, rows: number): Fragment => {
  const bound = bounds.find((candidate) => rows <= candidate.rows)?.limit ?? unbounded;
  return fragment`(
    SELECT * FROM (SELECT ${cardColumns} FROM listings l WHERE ${condition} ORDER BY ${orderBy} ${bound}) l
    ORDER BY ${orderBy} LIMIT ${rows}
  ) l ${joins}`;
};

const card = {
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

const listing = {
  ...card,
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

/** What everyone may see of a published listing in a list, as JSON. */
export const cardJson = jsonSql(object(card));

/** What everyone may see of a published listing on its page, as JSON. */
export const listingJson = jsonSql(object(listing));
