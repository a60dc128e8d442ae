import { z } from 'zod';
import { categories, conditions, postableCategories } from './categories.ts';
import { categoryFilterSchemas } from './category-field-schemas.ts';
import { listingErrorMessages, locationLength, textToNumber } from './listing-form.ts';
import { listingCardSchema, listingStatuses, type OwnListing, ownListingSchema } from './listings.ts';
import { listingPageSize, maxListingPageSize } from './paging.ts';
import { maxStoredPrice } from './price-limits.ts';
import { isRentedOut } from './selling.ts';
import { createStorableTextSchema, idSchema } from './text.ts';

/**
 * Query of GET /rest/v1/me/listings: filters, page size, and as `cursor` the `next_cursor` of the previous
 * page.
 */
export const ownListingQuerySchema = z.object({
  status: z.enum(listingStatuses).optional(),
  category: z.enum(categories).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(listingPageSize),
  cursor: z.string().max(200).optional(),
});
export type OwnListingQuery = z.infer<typeof ownListingQuerySchema>;

export const ownListingPageSchema = z.object({
  items: z.array(ownListingSchema),
  /**
   * Number of the owner's listings in each tab of My Listings; the requested page and filters do not change
   * it.
   */
  counts: z.object({
    active: z.int(),
    on_hold: z.int(),
    sold: z.int(),
    rented: z.int(),
    drafts: z.int(),
  }),
  next_cursor: z.string().nullable(),
});
export type OwnListingPage = z.infer<typeof ownListingPageSchema>;

/** A tab of My Listings; each listing is in exactly one tab. */
export type OwnListingTab = keyof OwnListingPage['counts'];

/** Returns the tab of a listing. `today` is the current date on the campus, YYYY-MM-DD. */
export const getOwnListingTab = (
  listing: Pick<OwnListing, 'status' | 'category' | 'is_on_hold' | 'rented_until' | 'rental'>,
  today: string,
): OwnListingTab => {
  const { status, category } = listing;
  if (status === 'sold') return category === 'rentals' ? 'rented' : 'sold';
  if (status !== 'published') return 'drafts';
  if (isRentedOut(listing, today)) return 'rented';
  return listing.is_on_hold ? 'on_hold' : 'active';
};

/**
 * Sort orders: newest first, or by relevance, game date, price, condition or location. In the order by relevance,
 * the default of a search, listings with the search text in their title come first, then the newest. More than 10,000
 * matches, or 1,000 of a very common text, are sorted newest first. In the order by game date, listings without a game date come last, newest first.
 */
export const listingSorts = [
  'newest',
  'relevance',
  'game-date',
  'price',
  'price-desc',
  'condition',
  'location',
] as const;
export type ListingSort = (typeof listingSorts)[number];

export const gameDateRanges = ['this-week', 'next-week', 'this-month'] as const;
/** The sizes that are recognized by the words of a listing whose owner did not fill in its size. */
export const merchandiseSizes = ['small', 'medium', 'large', 'xl'] as const;
/**
 * Filters for kinds of game-day listings (specification §2). Listings have no field for the kind; the server
 * searches titles and descriptions for words that are typical of each kind.
 */
export const gameDayListingKinds = ['tickets', 'tailgate-gear', 'parking-passes'] as const;

// An empty price field in the filter form means that there is no lower or upper price limit.
const priceBoundSchema = z.preprocess(
  (value) => textToNumber(value) ?? undefined,
  z
    .number({ error: listingErrorMessages.priceFormat })
    .min(0, listingErrorMessages.pricePositive)
    .max(maxStoredPrice, 'Price is too high')
    .optional(),
);

/**
 * Maximum length of a search text. A longer text cannot match, because no searchable text is longer than a
 * description.
 */
export const maxSearchTextLength = 1000;

const createSearchSchema = (maxLength: number) =>
  createStorableTextSchema('Please search for something shorter', maxLength).optional();
// A URL may contain a longer search text than the search box accepts. Such a search is valid but finds
// nothing.
const searchSchema = createSearchSchema(10_000);

/** Query of GET /rest/v1/listings: filters, sort order and cursor. */
export const listingQuerySchema = z.object({
  category: z.enum(categories).optional(),
  q: searchSchema,
  sort: z.enum(listingSorts).optional(),
  min_price: priceBoundSchema,
  max_price: priceBoundSchema,
  condition: z.enum(conditions).optional(),
  location: createStorableTextSchema(listingErrorMessages.locationLong, locationLength.max).optional(),
  verified: z.enum(['true', 'false']).optional(),
  /** With `true`, the result leaves out items for rent that are rented out today. */
  available: z.enum(['true', 'false']).optional(),
  game_date: z.enum(gameDateRanges).optional(),
  kind: z.enum(gameDayListingKinds).optional(),
  ...categoryFilterSchemas,
  /** Id of a seller. With this parameter, the result contains only this person's listings. */
  seller: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(maxListingPageSize).default(listingPageSize),
  /**
   * This maximum length is enough for a cursor that contains a location of 200 characters. A cursor is JSON
   * in base64.
   */
  cursor: z.string().max(2000).optional(),
});
export type ListingQuery = z.infer<typeof listingQuerySchema>;

export const listingPageSchema = z.object({
  items: z.array(listingCardSchema),
  /** Number of matches: exact up to 10,000; 10,001 means "more than 10,000". */
  total: z.int(),
  next_cursor: z.string().nullable(),
});
export type ListingPage = z.infer<typeof listingPageSchema>;

/** Query of GET /rest/v1/listings/similar-matches: the search text and filters, without sort order and cursor. */
export const similarMatchesQuerySchema = listingQuerySchema.omit({ sort: true, limit: true, cursor: true });
export type SimilarMatchesQuery = z.infer<typeof similarMatchesQuerySchema>;

/** The part of a search that can be saved: the search text and filters of GET /rest/v1/listings. */
export const savedSearchQuerySchema = similarMatchesQuerySchema.extend({
  q: createSearchSchema(maxSearchTextLength),
});
export type SavedSearchQuery = z.infer<typeof savedSearchQuerySchema>;

/** Query of GET /rest/v1/listings/suggestions: the text typed so far. */
export const suggestionQuerySchema = z.object({
  q: searchSchema,
  /** `true` returns more titles, each once per seller, so that the caller can omit some sellers. */
  per_seller: z.literal('true').optional(),
});
export type SuggestionQuery = z.infer<typeof suggestionQuerySchema>;

/** Query of GET /rest/v1/listings/category-suggestion: the title of a new listing. */
export const categorySuggestionQuerySchema = z.object({
  title: createStorableTextSchema(listingErrorMessages.titleLong, 400),
});

export const categorySuggestionSchema = z.object({ category: z.enum(postableCategories).nullable() });

/** A listing title suggested while the search text is being typed. */
export const suggestedListingSchema = listingCardSchema.pick({ title: true, slug: true, user_id: true });
export type SuggestedListing = z.infer<typeof suggestedListingSchema>;
