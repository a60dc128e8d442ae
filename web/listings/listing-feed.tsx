import { useState } from 'react';
import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { LoadMore } from '#web/ui/load-more.tsx';
import { ListingGrid } from './listing-grid.tsx';
import { loadListingPage } from './load-page.ts';

export interface ListingFeedProps {
  /** The first page, loaded with the route. */
  first: ListingPage;
  /** Loads the next page. Use a different `key` for a different query. */
  query: Partial<ListingQuery>;
  stagger: number;
}

/** A grid of listings that loads the next page when the person scrolls near its end. */
export function ListingFeed({ first, query, stagger }: ListingFeedProps) {
  const [pages, setPages] = useState([first]);
  const cursor = pages.at(-1)?.next_cursor;
  const shown = pages.reduce((sum, page) => sum + page.items.length, 0);

  const load = async (): Promise<void> => {
    if (!cursor) return;
    const page = await loadListingPage({ ...query, cursor });
    setPages((earlier) => (earlier.at(-1)?.next_cursor === cursor ? [...earlier, page] : earlier));
  };

  return (
    <>
      <div className="space-y-2 sm:space-y-4 lg:space-y-5">
        {pages.map((page, index) => (
          <ListingGrid
            key={page.items[0]?.id}
            listings={page.items}
            stagger={stagger}
            priority={index === 0 ? 2 : 0}
          />
        ))}
      </div>
      {cursor && (
        <LoadMore end={cursor} load={load} failed="More listings could not be loaded." className="mt-8" />
      )}
      <p role="status" className="sr-only">
        {pages.length > 1 && `${shown} listings shown`}
      </p>
    </>
  );
}
