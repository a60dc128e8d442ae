import { randomInt } from 'node:crypto';
import {
  type DraftListing,
  type ListingStatus,
  type OwnListing,
  ownListingSchema,
} from '#contract/listings.ts';
import type { Photo } from '#contract/photos.ts';

/** The values of the listing form as they are stored. */
export type ListingContent = DraftListing;

/**
 * The column of each form field. A form field without a column does not compile, and every statement that reads or
 * writes whole listings is derived from this table.
 */
const contentColumns = {
  title: 'title',
  description: 'description',
  price: 'price',
  photos: 'photos',
  category: 'category',
  condition: 'condition',
  location: 'location',
  gameDate: 'game_date',
  contactEmail: 'contact_email',
  contactPhone: 'contact_phone',
} as const satisfies Record<keyof ListingContent, string>;

type ContentRow = {
  [Field in keyof ListingContent as (typeof contentColumns)[Field]]: ListingContent[Field];
};

/** The columns that do not come from the form. */
interface StateRow {
  id: string;
  slug: string;
  user_id: string;
  status: ListingStatus;
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
  /** When an administrator took the listing down; it stays a draft until it is restored. */
  hidden_at: Date | null;
  hidden_reason: string | null;
}

const stateColumns: Record<keyof StateRow, true> = {
  id: true,
  slug: true,
  user_id: true,
  status: true,
  created_at: true,
  updated_at: true,
  published_at: true,
  hidden_at: true,
  hidden_reason: true,
};

/** A listing with all its stored fields. */
export type ListingRow = ContentRow & StateRow;

/** A listing as its owner sees it, with the stored photos. */
export type OwnListingRow = ListingRow & { images: Photo[] };

/** The columns of a `ListingRow`. */
export const listingColumns: readonly string[] = [
  ...Object.values(contentColumns),
  ...Object.keys(stateColumns),
];

const contentFields = Object.keys(contentColumns) as (keyof ListingContent)[];

/** Converts form values to columns. */
export const toContentColumns = (content: ListingContent): ContentRow =>
  Object.fromEntries(contentFields.map((field) => [contentColumns[field], content[field]])) as ContentRow;

/** Converts a row to form values. */
export const toListingContent = (row: ContentRow): ListingContent =>
  Object.fromEntries(contentFields.map((field) => [field, row[contentColumns[field]]])) as ListingContent;

declare const owned: unique symbol;

/**
 * A listing of which the policy has confirmed that the caller owns it; only such listings can be changed or deleted.
 */
export type OwnedListing = ListingRow & { readonly [owned]: true };

const ownFields = Object.keys(ownListingSchema.shape) as (keyof OwnListing & keyof OwnListingRow)[];

/**
 * Converts a row to the listing that its owner receives: exactly the fields of the contract, whatever else the row has.
 */
export const presentOwn = (row: Pick<OwnListingRow, keyof OwnListing>): OwnListing => ({
  ...(Object.fromEntries(ownFields.map((field) => [field, row[field]])) as Omit<
    typeof row,
    'created_at' | 'updated_at'
  >),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const suffixLength = 6;
const longestStem = 60;

/** Returns the readable part of a slug: the title's ASCII letters and digits, joined by hyphens. */
export const toSlugStem = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestStem)
    .replace(/^-+|-+$/g, '') || 'listing';

/**
 * Returns a slug for a title, with a random suffix. Collisions are unlikely even among a thousand equal titles, and the
 * database refuses them.
 */
export const makeSlug = (title: string | null): string => {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${toSlugStem(title ?? 'draft')}-${suffix}`;
};
