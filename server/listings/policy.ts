import type { ListingRow, OwnedListing } from './listing-row.ts';

/** The listing if it is this person's; undefined otherwise, as if there were none. */
export const asOwner = (listing: ListingRow | undefined, userId: string): OwnedListing | undefined =>
  listing?.user_id === userId ? (listing as OwnedListing) : undefined;
