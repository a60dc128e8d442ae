import { randomInt } from 'node:crypto';
import {
  type CategoryFieldName,
  type CategoryFieldValues,
  categoryFieldEntries,
  type categoryFields,
  findRentalPriceField,
  hasCategoryField,
} from '#contract/category-fields.ts';
import type { DraftListing, ListingSubmission } from '#contract/listing-form.ts';
import { type ListingStatus, type OwnListing, ownListingSchema } from '#contract/listings.ts';
import { type Photo, toRootRelativeUrl } from '#contract/photos.ts';

/** The values of the listing form as they are stored. */
export type ListingContent = Omit<DraftListing, CategoryFieldName> & CategoryFieldValues;

/** The fields of a listing that its owner cannot change while there are deals about it. */
export type FieldsLockedByDeals = Pick<ListingContent, 'category' | 'giftMode' | 'drawHours'>;

type CategoryFieldColumns = { [Name in CategoryFieldName]: (typeof categoryFields)[Name]['column'] };

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
  holdHours: 'hold_hours',
  isPriceFirm: 'is_price_firm',
  rentalPeriod: 'rental_period',
  giftMode: 'gift_mode',
  drawHours: 'draw_hours',
  ...(Object.fromEntries(
    categoryFieldEntries.map(([name, { column }]) => [name, column]),
  ) as CategoryFieldColumns),
} as const satisfies Record<keyof ListingContent, string>;

type ListingContentRow = {
  [Field in keyof ListingContent as (typeof contentColumns)[Field]]: ListingContent[Field];
};

/** The columns that do not come from the form. */
interface ListingStateRow {
  id: string;
  slug: string;
  user_id: string;
  status: ListingStatus;
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
  /** When the draw of a free item closes, or null when there is no draw. */
  draw_closes_at: Date | null;
  is_on_hold: boolean;
  /** When the listing was sold, given away or rented; null otherwise. */
  sold_at: Date | null;
  /**
   * The last day (YYYY-MM-DD) of a rental without a deal, or null when the listing is not rented out or is rented
   * permanently.
   */
  rented_until: string | null;
  /** Id of the person who got the listing according to the owner, or null when the owner named nobody. */
  sold_to: string | null;
  sale_confirmed_at: Date | null;
  /**
   * When the listing was taken down, or hidden because its owner was suspended; null otherwise. The listing stays a
   * draft until it is restored.
   */
  hidden_at: Date | null;
  hidden_reason: string | null;
  /** Since when the listing waits for a moderator because of its wording, or null unless it is in review. */
  held_at: Date | null;
  /** When a moderator approved the wording of the checked texts as they are; null otherwise. */
  wording_approved_at: Date | null;
  /** What a moderator asked the owner to change before the listing is published again; null otherwise. */
  requested_changes: string | null;
  /** When the day of its game ended, which made the listing a draft; meaningless in other statuses. */
  ended_at: Date | null;
  /** Since when the listing is a draft because its owner did not confirm it; meaningless in other statuses. */
  paused_at: Date | null;
  /** When the owner last said that the listing is available, or changed it while it was published. */
  confirmed_at: Date | null;
  /** When the owner was asked whether the listing is available; null once that was answered or withdrawn. */
  asked_at: Date | null;
  /**
   * When the owner deleted the listing; null otherwise. A job removes the row of a deleted listing
   * soon after.
   */
  deleted_at: Date | null;
  /** The status that a deleted listing gets back when it is restored, or null when the listing is not deleted. */
  status_before_deletion: ListingStatus | null;
}

const stateColumns: Record<keyof ListingStateRow, true> = {
  id: true,
  slug: true,
  user_id: true,
  status: true,
  created_at: true,
  updated_at: true,
  published_at: true,
  draw_closes_at: true,
  is_on_hold: true,
  sold_at: true,
  rented_until: true,
  sold_to: true,
  sale_confirmed_at: true,
  hidden_at: true,
  hidden_reason: true,
  held_at: true,
  wording_approved_at: true,
  requested_changes: true,
  ended_at: true,
  paused_at: true,
  confirmed_at: true,
  asked_at: true,
  deleted_at: true,
  status_before_deletion: true,
};

export type ListingRow = ListingContentRow & ListingStateRow;

/**
 * A listing as its owner sees it, with the stored photos, the display name of the buyer, the current rental and
 * hold, the numbers of open deals and offers, and the number of people who saved it.
 */
export type OwnListingRow = ListingRow & {
  images: Photo[];
  awaits_membership: boolean;
  sold_to_name: string | null;
  rental: OwnListing['rental'];
  open_deals: number;
  waiting_offers: number;
  hold: NonNullable<OwnListing['hold']> | null;
  save_count: number;
  /** When the owner last wrote about the listing, or made a step in a deal about it. */
  seller_acted_at: Date | null;
  is_question_open: boolean;
};

/** The columns of a `ListingRow`. */
export const listingColumns: readonly string[] = [
  ...Object.values(contentColumns),
  ...Object.keys(stateColumns),
];

const contentFields = Object.keys(contentColumns) as (keyof ListingContent)[];

/** The form field of each column that comes from the form. */
export const formFieldByColumn = Object.fromEntries(
  contentFields.map((field) => [contentColumns[field], field]),
) as Record<keyof ListingContentRow, keyof ListingContent>;

/** Converts form values to columns. */
export const toContentColumns = (content: ListingContent): ListingContentRow =>
  Object.fromEntries(
    contentFields.map((field) => [contentColumns[field], content[field]]),
  ) as ListingContentRow;

/** Converts a row to form values. */
export const toListingContent = (row: ListingContentRow): ListingContent =>
  Object.fromEntries(contentFields.map((field) => [field, row[contentColumns[field]]])) as ListingContent;

declare const ownedBrand: unique symbol;

/**
 * A listing that belongs to the caller, as confirmed by the policy; only such listings can be
 * changed or deleted.
 */
export type OwnedListing = ListingRow & { readonly [ownedBrand]: true };

declare const reviewableBrand: unique symbol;

/** A listing that moderators can decide about, as confirmed by the policy: it was neither deleted nor taken down. */
export type ListingForModeration = ListingRow & { readonly [reviewableBrand]: true };

/** A listing that its owner, the caller, has deleted and can still restore. */
export type DeletedListing = OwnedListing & { deleted_at: Date; status_before_deletion: ListingStatus };

const ownListingFields = Object.keys(ownListingSchema.omit({ tended_at: true }).shape) as (keyof OwnListing &
  keyof OwnListingRow)[];

type OwnTimestamp =
  | 'tended_at'
  | 'confirmed_at'
  | 'asked_at'
  | 'created_at'
  | 'updated_at'
  | 'published_at'
  | 'draw_closes_at'
  | 'sold_at'
  | 'sale_confirmed_at'
  | 'ended_at'
  | 'paused_at';

const findLatest = (...instants: (Date | null)[]): string | null =>
  instants.reduce((latest, it) => (it && (!latest || it > latest) ? it : latest), null)?.toISOString() ??
  null;

/** Converts a row to the response for its owner, which has exactly the fields of the contract. */
export const presentOwnListing = (
  row: Pick<OwnListingRow, Exclude<keyof OwnListing, 'tended_at'> | 'seller_acted_at' | 'is_question_open'>,
): OwnListing => ({
  ...(Object.fromEntries(ownListingFields.map((field) => [field, row[field]])) as Omit<
    typeof row,
    OwnTimestamp
  >),
  published_at: row.published_at?.toISOString() ?? null,
  tended_at:
    row.status === 'published' ? findLatest(row.updated_at, row.confirmed_at, row.seller_acted_at) : null,
  confirmed_at: findLatest(row.confirmed_at, row.seller_acted_at),
  asked_at: row.is_question_open ? findLatest(row.asked_at) : null,
  draw_closes_at: row.draw_closes_at?.toISOString() ?? null,
  sold_at: row.sold_at?.toISOString() ?? null,
  sale_confirmed_at: row.sale_confirmed_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  paused_at: row.paused_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * Returns the content of a listing as its form submits it, without fields that do not apply to its category. Fields of the
 * category that the form does not have stay as they were, apart from a further price for the period that the price is for.
 */
export const toSubmittedContent = (
  { id: _id, clientId: _clientId, status: _status, ...content }: ListingSubmission,
  before?: ListingContentRow,
): ListingContent => ({
  ...content,
  title: content.title || null,
  description: content.description || null,
  location: content.location || null,
  photos: [...new Set(content.photos.map(toRootRelativeUrl))],
  gameDate: content.category === 'game-day' ? content.gameDate : null,
  isPriceFirm: content.isPriceFirm && content.category !== 'free' && content.category !== 'rentals',
  rentalPeriod: content.category === 'rentals' ? content.rentalPeriod : 'flexible',
  giftMode: content.category === 'free' ? content.giftMode : 'first_come',
  ...(Object.fromEntries(
    categoryFieldEntries.map(([name, field]) => [
      name,
      hasCategoryField(content.category, field)
        ? ((content[name] === undefined && name !== findRentalPriceField(content.rentalPeriod)
            ? before?.[contentColumns[name]]
            : content[name]) ?? null)
        : null,
    ]),
  ) as CategoryFieldValues),
});

const slugAlphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const slugSuffixLength = 6;
const maxSlugStemLength = 60;

/** Returns the readable part of a slug: the title's ASCII letters and digits, joined by hyphens. */
export const toSlugStem = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugStemLength)
    .replace(/^-|-$/g, '') || 'listing';

/**
 * Returns a slug for a title, with a random suffix. Two equal slugs are unlikely even for a
 * thousand listings with the same title, and a unique constraint in the database rejects them.
 */
export const makeSlug = (title: string | null): string => {
  const suffix = Array.from(
    { length: slugSuffixLength },
    () => slugAlphabet[randomInt(slugAlphabet.length)],
  ).join('');
  return `${toSlugStem(title ?? 'draft')}-${suffix}`;
};
