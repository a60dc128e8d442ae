import type { InfiniteData } from '@tanstack/react-query';
import { getOwnListingTab, type OwnListingPage, type OwnListingTab } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';

export type OwnListingPages = InfiniteData<OwnListingPage, string | undefined>;

/** Returns all loaded listings as one page, newest first, with the counts of the latest response. */
export const flattenOwnListings = ({ pages }: OwnListingPages): OwnListingPage => {
  const latest = pages.at(-1);
  return {
    items: pages.flatMap(({ items }) => items).sort((a, b) => b.created_at.localeCompare(a.created_at)),
    counts: latest?.counts ?? { active: 0, on_hold: 0, sold: 0, rented: 0, drafts: 0 },
    next_cursor: latest?.next_cursor ?? null,
  };
};

/**
 * Applies a change to the loaded pages. `change` receives all loaded listings as one list and returns the
 * changed list. A listing that is on none of the pages is added to the first one.
 */
export const updateListingPages = (
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

const withReplacedItems = (own: OwnListingPage, items: OwnListing[], today: string): OwnListingPage => {
  const countIn = (listings: readonly OwnListing[], tab: OwnListingTab): number =>
    listings.filter((item) => getOwnListingTab(item, today) === tab).length;
  const counts = Object.entries(own.counts).map(([name, count]) => {
    const tab = name as OwnListingTab;
    return [tab, count + countIn(items, tab) - countIn(own.items, tab)];
  });
  return { ...own, items, counts: Object.fromEntries(counts) };
};

/**
 * Returns the page with one listing changed, and with updated counts. The listing keeps its numbers of deals and
 * saves, because other people may have changed these since the request that returned `listing` began. In this
 * module, `today` is the current date on the campus, YYYY-MM-DD.
 */
export const withUpdatedListing = (own: OwnListingPage, listing: OwnListing, today: string): OwnListingPage =>
  withReplacedItems(
    own,
    own.items.map((item) =>
      item.id === listing.id
        ? {
            ...listing,
            open_deals: item.open_deals,
            waiting_offers: item.waiting_offers,
            hold: item.hold,
            save_count: item.save_count,
          }
        : item,
    ),
    today,
  );

export const withoutListing = (own: OwnListingPage, id: string, today: string): OwnListingPage =>
  withReplacedItems(
    own,
    own.items.filter((item) => item.id !== id),
    today,
  );

/** Returns the page with a listing as it was before it was changed or removed, and with updated counts. */
export const withRestoredListing = (
  own: OwnListingPage,
  listing: OwnListing,
  today: string,
): OwnListingPage =>
  own.items.some((item) => item.id === listing.id)
    ? withUpdatedListing(own, listing, today)
    : withReplacedItems(
        own,
        [...own.items, listing].sort((a, b) => b.created_at.localeCompare(a.created_at)),
        today,
      );
