import type { CallOutput, calls } from '#contract/calls.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';

export type OwnListings = CallOutput<(typeof calls)['listMyListings']>;

const counted = (own: OwnListings, items: OwnListing[]): OwnListings => {
  const change = (status: ListingStatus): number =>
    items.filter((item) => item.status === status).length -
    own.items.filter((item) => item.status === status).length;
  return {
    ...own,
    items,
    counts: {
      published: own.counts.published + change('published'),
      draft: own.counts.draft + change('draft'),
    },
  };
};

/** Returns the list with one listing changed, and updated counts. */
export const withListing = (own: OwnListings, listing: OwnListing): OwnListings =>
  counted(
    own,
    own.items.map((item) => (item.id === listing.id ? listing : item)),
  );

export const withoutListing = (own: OwnListings, id: string): OwnListings =>
  counted(
    own,
    own.items.filter((item) => item.id !== id),
  );

/** Returns the list with a removed listing back in its position (newest first). */
export const withListingBack = (own: OwnListings, listing: OwnListing): OwnListings =>
  own.items.some((item) => item.id === listing.id)
    ? withListing(own, listing)
    : counted(
        own,
        [...own.items, listing].sort((a, b) => b.created_at.localeCompare(a.created_at)),
      );
