import { z } from 'zod';
import { categories, conditions } from './categories.ts';
import {
  listingCardSchema,
  listingSentences,
  listingStatuses,
  locationLength,
  maxPrice,
  ownListingSchema,
  textToNumber,
} from './listings.ts';
import { pageSize } from './paging.ts';
import { storableTextSchema } from './text.ts';

/** Query of GET /rest/v1/me/listings: filters and `next_cursor` of the previous page. */
export const ownListingQuerySchema = z.object({
  status: z.enum(listingStatuses).optional(),
  category: z.enum(categories).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(pageSize),
  cursor: z.string().max(200).optional(),
});
export type OwnListingQuery = z.infer<typeof ownListingQuerySchema>;

export const ownListingPageSchema = z.object({
  items: z.array(ownListingSchema),
  /** Number of all the owner's listings by status, regardless of page and filters. */
  counts: z.object({ published: z.int(), draft: z.int() }),
  next_cursor: z.string().nullable(),
});
export type OwnListingPage = z.infer<typeof ownListingPageSchema>;

/**
 * Sort orders: newest first, by game date (listings without one come last, newest first), by price, condition or
 * location.
 */
export const listingSorts = ['newest', 'game-date', 'price', 'price-desc', 'condition', 'location'] as const;
export type ListingSort = (typeof listingSorts)[number];

export const gameDateRanges = ['this-week', 'next-week', 'this-month'] as const;
export const sizes = ['small', 'medium', 'large', 'xl'] as const;
/**
 * Kinds of game-day listings in the filter bar (specification §2). A listing has no field for its kind; the server
 * finds it by words in title and description.
 */
export const gameDayKinds = ['tickets', 'tailgate-gear', 'parking-passes'] as const;

// An empty field of the filter form means no limit.
const priceBoundSchema = z.preprocess(
  (value) => textToNumber(value) ?? undefined,
  z
    .number({ error: listingSentences.priceFormat })
    .min(0, listingSentences.pricePositive)
    .max(maxPrice, listingSentences.priceHigh)
    .optional(),
);

const searchSchema = storableTextSchema('Please search for something shorter', 10_000).optional();

/** Query of GET /rest/v1/listings: filters, order and cursor. */
export const listingQuerySchema = z.object({
  category: z.enum(categories).optional(),
  q: searchSchema,
  sort: z.enum(listingSorts).optional(),
  min_price: priceBoundSchema,
  max_price: priceBoundSchema,
  condition: z.enum(conditions).optional(),
  location: storableTextSchema(listingSentences.locationLong, locationLength.max).optional(),
  verified: z.enum(['true', 'false']).optional(),
  game_date: z.enum(gameDateRanges).optional(),
  size: z.enum(sizes).optional(),
  kind: z.enum(gameDayKinds).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(pageSize),
  /** The maximum length fits a location of 200 characters, encoded as JSON in base64. */
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

/** Query of GET /rest/v1/listings/suggestions: the text typed so far. */
export const suggestionQuerySchema = z.object({ q: searchSchema });

/** A listing title suggested while the search text is being typed. */
export const suggestedListingSchema = listingCardSchema.pick({ title: true, slug: true });
export type SuggestedListing = z.infer<typeof suggestedListingSchema>;
