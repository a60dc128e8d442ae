import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { getHistoryEntryState } from '#web/lib/history-entry-state.ts';
import { LoadMore } from '#web/ui/load-more.tsx';
import { fetchListingsPage } from './fetch-listings-page.ts';
import { ListingGrid } from './listing-grid.tsx';

export interface ListingFeedProps {
  /** The first page of listings, which is loaded with the route. */
  first: ListingPage;
  query: Partial<ListingQuery>;
  stagger: number;
  /** Omits the seller from each card. For a profile page, where all listings are by the same seller. */
  hideSeller?: boolean | undefined;
  /** Ids of the listings to mark as new. */
  newIds?: ReadonlySet<string> | undefined;
}

/**
 * A grid of listings that loads the next page when the person scrolls near its end. After Back,
 * Forward or reload, it first shows the listings that were loaded before, and then replaces them
 * with their current state. It starts over when the route has loaded a new first page.
 */
export function ListingFeed(props: ListingFeedProps) {
  const [feed, setFeed] = useState({ first: props.first, key: 0 });
  if (feed.first !== props.first) setFeed({ first: props.first, key: feed.key + 1 });
  return <LoadedPages key={feed.key} {...props} />;
}

function LoadedPages({ first, query, stagger, hideSeller, newIds }: ListingFeedProps) {
  const location = useLocation();
  const [pages, setPages] = useState<readonly ListingPage[]>([first]);
  const [isRestored, setIsRestored] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const reloading = useRef<Promise<readonly ListingPage[] | undefined>>(undefined);
  const cursor = pages.at(-1)?.next_cursor;
  // A listing may be on two pages if its position changed between loading them, so remove
  // duplicates.
  const listings = [...new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item]))).values()];

  const show = (next: readonly ListingPage[]): void => {
    setPages(next);
    getHistoryEntryState(location).pages = next;
  };
  // Replacing the URL with itself, as when a listing that is loading is left, gives the history entry another key.
  useLayoutEffect(() => {
    if (pages.length > 1) getHistoryEntryState(location).pages = pages;
  }, [location, pages]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new feed restores pages
  useLayoutEffect(() => {
    const restored = getHistoryEntryState(location).pages as readonly ListingPage[] | undefined;
    if (!restored) return;
    setPages(restored);
    setIsRestored(true);
    const count = restored.reduce((sum, { items }) => sum + items.length, 0);
    reloading.current = import('./reload-feed.ts')
      .then(({ reloadListingFeed }) =>
        reloadListingFeed({ element: container.current, first, query, count, show }),
      )
      // If reloading fails, for example offline, the restored pages stay as they are.
      .catch(() => undefined);
  }, []);

  const load = async (): Promise<void> => {
    const loaded = (await reloading.current) ?? pages;
    reloading.current = undefined;
    const end = loaded.at(-1)?.next_cursor;
    if (end) show([...loaded, await fetchListingsPage({ ...query, cursor: end })]);
  };

  return (
    <>
      <div ref={container} className={isRestored ? '[&_li]:animate-none' : undefined}>
        <ListingGrid
          listings={listings}
          stagger={stagger}
          priority={2}
          hideSeller={hideSeller}
          newIds={newIds}
        />
      </div>
      {cursor && (
        <LoadMore end={cursor} load={load} failed="More listings could not be loaded." className="mt-8" />
      )}
      <p role="status" className="sr-only">
        {pages.length > 1 && `${listings.length} listings shown`}
      </p>
    </>
  );
}
