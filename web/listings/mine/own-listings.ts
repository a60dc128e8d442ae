import type { InfiniteData } from '@tanstack/react-query';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';

/** The loaded pages of the person's own listings. */
export type OwnListingPages = InfiniteData<OwnListingPage, string | undefined>;

/** Returns all loaded listings as one page, newest first, with the counts of the latest response. */
export const flattenOwnListings = ({ pages }: OwnListingPages): OwnListingPage => {
  const latest = pages.at(-1);
  return {
    items: pages.flatMap(({ items }) => items).sort((a, b) => b.created_at.localeCompare(a.created_at)),
    counts: latest?.counts ?? { published: 0, draft: 0 },
    next_cursor: latest?.next_cursor ?? null,
  };
};

/** Applies a change of the whole list to its pages. A listing that returns goes to the first page. */
export const updatePages = (
  loaded: OwnListingPages,
  change: (own: OwnListingPage) => OwnListingPage,
): OwnListingPages => {
  const { items, counts } = change(flattenOwnListings(loaded));
  const left = new Map(items.map((item) => [item.id, item]));
  const [first, ...others] = loaded.pages.map((page) => ({
    ...page,
    counts,
    items: page.items.flatMap(({ id }) => {
      const item = left.get(id);
      left.delete(id);
      return item ?? [];
    }),
  }));
  if (!first) return loaded;
  return { ...loaded, pages: [{ ...first, items: [...left.values(), ...first.items] }, ...others] };
};

const withItemsAndCounts = (own: OwnListingPage, items: OwnListing[]): OwnListingPage => {
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
export const withListing = (own: OwnListingPage, listing: OwnListing): OwnListingPage =>
  withItemsAndCounts(
    own,
    own.items.map((item) => (item.id === listing.id ? listing : item)),
  );

export const withoutListing = (own: OwnListingPage, id: string): OwnListingPage =>
  withItemsAndCounts(
    own,
    own.items.filter((item) => item.id !== id),
  );

/** Returns the list with a removed listing back in its position (newest first). */
export const withListingBack = (own: OwnListingPage, listing: OwnListing): OwnListingPage =>
  own.items.some((item) => item.id === listing.id)
    ? withListing(own, listing)
    : withItemsAndCounts(
        own,
        [...own.items, listing].sort((a, b) => b.created_at.localeCompare(a.created_at)),
      );
