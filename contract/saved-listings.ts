import { z } from 'zod';
import type { Campus } from './campus.ts';
import { listingCardSchema } from './listings.ts';
import { maxSavedListings } from './paging.ts';
import { rentalPeriods, unavailableReasons } from './selling.ts';
import { idSchema, instantSchema } from './text.ts';

/** A listing that the caller saved: as it was when it was saved, and as it is now. */
export const savedListingSchema = z.object({
  listing_id: idSchema,
  saved_at: instantSchema,
  /**
   * The title that the listing had when it was saved, or null when a moderator has taken the listing down.
   */
  saved_title: z.string().nullable(),
  saved_price: z.number(),
  /** The period that the saved price of a rental is for; ignored in other categories. */
  saved_rental_period: z.enum(rentalPeriods),
  /** The current status; `unavailable` when nobody can get the listing now. */
  status: z.enum(['published', 'sold', 'unavailable']),
  /** Why a listing with a page cannot be had now. */
  unavailable: z.enum(unavailableReasons).nullable(),
  /** The listing as it is now, or null when it is unavailable. */
  listing: listingCardSchema.nullable(),
});
export type SavedListing = z.infer<typeof savedListingSchema>;

/** Query of GET /rest/v1/me/saved-listings; `cursor` is the `next_cursor` of the previous page. */
export const savedListingQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** One page of the caller's saved listings, most recently saved first. */
export const savedListingPageSchema = z.object({
  items: z.array(savedListingSchema),
  total: z.int(),
  /** Number of saved listings that are sold or unavailable. */
  unavailable_total: z.int(),
  next_cursor: z.string().nullable(),
});
export type SavedListingPage = z.infer<typeof savedListingPageSchema>;

/**
 * The ids of the listings that a visitor saved in the browser before logging in, most recently saved first.
 */
export const savedListingIdsSchema = z.object({ listing_ids: z.array(idSchema).max(maxSavedListings) });
export type SavedListingIds = z.infer<typeof savedListingIdsSchema>;

/**
 * The smallest price drop that people are notified about: at least this much, in units of about a dollar, and at least this
 * fraction of the earlier price.
 */
const minPriceDrop = { amount: 1, part: 0.05 };

/** Returns whether a price is far enough below the lowest earlier price to notify people who saved the listing. */
export const isNotablePriceDrop = (
  price: number,
  lowestBefore: number,
  { priceScale }: Pick<Campus, 'priceScale'>,
): boolean => {
  // Compare integers, because differences of fractional numbers are inexact.
  const [now, before, amount] = [price, lowestBefore, minPriceDrop.amount * priceScale].map((it) =>
    Math.round(it * 1000),
  ) as [number, number, number];
  return before - now >= amount && before - now >= before * minPriceDrop.part;
};
