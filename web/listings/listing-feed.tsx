import { useEffect, useRef, useState } from 'react';
import type { ListingPage, ListingQuery } from '#contract/listings.ts';
import { Button } from '#web/ui/button.tsx';
import { ListingGrid } from './listing-grid.tsx';
import { loadPage } from './load-page.ts';

export interface ListingFeedProps {
  /** The first page, loaded with the route. */
  first: ListingPage;
  /** Loads the next page. Use a different `key` for a different query. */
  query: Partial<ListingQuery>;
  stagger: number;
}

/** Distance below the viewport at which the next page is requested. */
const ahead = '800px';

/** A grid that loads more near its end, with a button as fallback. */
export function ListingFeed({ first, query, stagger }: ListingFeedProps) {
  const [pages, setPages] = useState([first]);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const end = useRef<HTMLDivElement>(null);
  const cursor = pages.at(-1)?.next_cursor;
  const shown = pages.reduce((sum, page) => sum + page.items.length, 0);

  async function more() {
    if (!cursor || state === 'loading') return;
    setState('loading');
    try {
      const page = await loadPage({ ...query, cursor });
      setPages((earlier) => (earlier.at(-1)?.next_cursor === cursor ? [...earlier, page] : earlier));
      setState('idle');
    } catch {
      setState('failed');
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new end, or a new calm, is watched anew
  useEffect(() => {
    if (!end.current || !cursor || state !== 'idle') return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && void more(), {
      rootMargin: ahead,
    });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [cursor, state]);

  return (
    <>
      <div className="space-y-3 sm:space-y-4 lg:space-y-5">
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
        <div ref={end} className="mt-8 text-center">
          {state === 'failed' && (
            <p role="alert" className="mb-3 text-danger">
              More listings could not be loaded.
            </p>
          )}
          <Button variant="secondary" loading={state === 'loading'} onClick={() => void more()}>
            {state === 'failed' ? 'Try again' : 'Load more'}
          </Button>
        </div>
      )}
      <p role="status" className="sr-only">
        {pages.length > 1 && `${shown} listings shown`}
      </p>
    </>
  );
}
