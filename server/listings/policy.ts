import type { ListingRow, OwnedListing } from './listing-row.ts';

/** Returns the listing as an OwnedListing if the person owns it; undefined otherwise, as if it did not exist. */
export const asOwner = (listing: ListingRow | undefined, userId: string): OwnedListing | undefined =>
  listing?.user_id === userId ? (listing as OwnedListing) : undefined;
