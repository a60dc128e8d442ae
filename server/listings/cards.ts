import type { Listing, ListingCard } from '#contract/listings.ts';
import { type Fragment, fragment, instant } from '#server/platform/database.ts';
import type { JsonText } from '#server/platform/json-text.ts';

export interface CardRow {
  card: JsonText<ListingCard>;
}
export interface DetailRow {
  listing: JsonText<Listing>;
}

const joins = fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]`;

/** The tables that the JSON below is made of. */
export const cardSource = fragment`listings l ${joins}`;

const bounds = [
  { rows: 10, limit: fragment`LIMIT 10` },
  { rows: 25, limit: fragment`LIMIT 25` },
  { rows: 101, limit: fragment`LIMIT 101` },
];
const unbounded = fragment``;

/**
 * The same for a page: `page` selects listings in order, and the statement takes the first `rows` of them. A prepared
 * statement is planned before its parameters are known, for a tenth of all listings where one is the limit. A constant
 * tells the planner that there are few rows to join.
 */
export const cardSourceOf = (page: Fragment, rows: number): Fragment => {
  const bound = bounds.find((candidate) => rows <= candidate.rows);
  return fragment`(${page} ${bound?.limit ?? unbounded}) l ${joins}`;
};

const cardFields = fragment`
  'id', l.id, 'slug', l.slug, 'user_id', l.user_id, 'title', l.title, 'price', l.price, 'category', l.category,
  'condition', l.condition, 'location', l.location, 'game_date', l.game_date,
  'created_at', ${instant(fragment`l.created_at`)},
  'cover', CASE WHEN cover.url IS NOT NULL THEN json_build_object(
    'url', cover.url, 'width', cover.width, 'height', cover.height, 'thumbhash', cover.thumbhash) END,
  'seller', json_build_object('name', u.display_name, 'avatar_url', u.avatar_url, 'usc_verified', u.usc_verified)`;

/** What everyone may see of a published listing in a list, as JSON. */
export const cardJson = fragment`json_build_object(${cardFields})::text`;

/** What everyone may see of a published listing on its page, as JSON. */
export const listingJson = fragment`
  json_build_object(${cardFields},
    'status', l.status, 'description', l.description, 'contact_email', l.contact_email,
    'contact_phone', l.contact_phone, 'photos', l.photos,
    'images', coalesce((
      SELECT json_agg(json_build_object('url', o.url, 'width', o.width, 'height', o.height, 'thumbhash', o.thumbhash)
        ORDER BY photo.place)
      FROM unnest(l.photos) WITH ORDINALITY AS photo (url, place) JOIN private.objects o ON o.url = photo.url
    ), '[]'),
    'updated_at', ${instant(fragment`l.updated_at`)})::text`;
