import type { ListingRow } from './repository.ts';

declare const owned: unique symbol;

/** A listing that has been shown to belong to the caller: only these can be changed or deleted. */
export type OwnedListing = ListingRow & { readonly [owned]: true };

/** The listing if it is this person's; undefined otherwise, as if there were none. */
export const asOwner = (listing: ListingRow | undefined, userId: string): OwnedListing | undefined =>
  listing?.user_id === userId ? (listing as OwnedListing) : undefined;
