import type { Listing, ListingCard } from '#contract/listings.ts';
import type { JsonText } from '#server/platform/json-text.ts';
import type { Fragment } from '#server/platform/postgres/database.ts';
import { fragment, trusted } from '#server/platform/sql-fragments.ts';
import {
  jsonInstant,
  jsonObject,
  jsonPhoto,
  jsonText,
  jsonValue,
  jsonWord,
} from '#server/platform/sql-json.ts';

export interface CardRow {
  card: JsonText<ListingCard>;
}
export interface DetailRow {
  listing: JsonText<Listing>;
}

const joins = fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]`;

/** The tables that the JSON below reads. */
export const cardSource = fragment`listings l ${joins}`;

const bounds = [
  { rows: 10, limit: fragment`LIMIT 10` },
  { rows: 25, limit: fragment`LIMIT 25` },
  { rows: 101, limit: fragment`LIMIT 101` },
];
const unbounded = fragment``;

/**
 * Returns the same tables for a page: `page` selects listings in order, limited to the first `rows`. A prepared statement
 * is planned before its parameters are known, so a parameter as the limit is estimated as a tenth of all listings. A
 * constant tells the planner that there are few rows to join.
 */
export const cardSourceOf = (page: Fragment, rows: number): Fragment => {
  const bound = bounds.find((candidate) => rows <= candidate.rows);
  return fragment`(${page} ${bound?.limit ?? unbounded}) l ${joins}`;
};

const card = {
  id: jsonWord('l.id'),
  slug: jsonWord('l.slug'),
  user_id: jsonWord('l.user_id'),
  title: jsonText('l.title'),
  price: jsonValue('l.price'),
  category: jsonWord('l.category'),
  condition: jsonWord('l.condition'),
  location: jsonText('l.location'),
  game_date: jsonWord('l.game_date'),
  created_at: jsonInstant('l.created_at'),
  cover: jsonPhoto('cover', 'cover.url IS NOT NULL'),
  seller: jsonObject({
    name: jsonText('u.display_name'),
    avatar_url: jsonText('u.avatar_url'),
    usc_verified: jsonValue('u.usc_verified'),
  }),
} satisfies Record<keyof ListingCard, string>;

const listing = {
  ...card,
  status: jsonWord('l.status'),
  description: jsonText('l.description'),
  contact_email: jsonText('l.contact_email'),
  contact_phone: jsonText('l.contact_phone'),
  photos: jsonValue('to_json(l.photos)'),
  images: `(
    SELECT concat('[', string_agg(${jsonPhoto('p')}, ',' ORDER BY place), ']')
    FROM unnest(l.photos) WITH ORDINALITY AS shown (url, place) JOIN private.objects p ON p.url = shown.url
  )`,
  seller_role: jsonWord('CASE WHEN u.usc_verified THEN u.role END'),
  updated_at: jsonInstant('l.updated_at'),
} satisfies Record<keyof Listing, string>;

/** JSON of a published listing in a list; public fields only. */
export const cardJson = trusted(jsonObject(card));

/** JSON of a published listing on its page; public fields only. */
export const listingJson = trusted(jsonObject(listing));
