import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate, useNavigation } from 'react-router';
import type { ListingSort } from '#contract/listing-queries.ts';
import { useLatestSearchParams } from '#web/lib/use-latest-search.ts';

/** The four sort orders of a generic category page; the last one is the default. */
const sortOrders: { label: string; sort: ListingSort | undefined }[] = [
  { label: 'Price: Low to High', sort: 'price' },
  { label: 'Condition', sort: 'condition' },
  { label: 'Location', sort: 'location' },
  { label: 'Date Posted', sort: undefined },
];

const toSearch = (current: URLSearchParams, sort: ListingSort | undefined): string => {
  const params = new URLSearchParams(current);
  params.delete('sort');
  if (sort) params.set('sort', sort);
  return `?${params}`;
};

/**
 * Links that sort the listings and keep the filters. The sort order is part of the URL, so that it can be
 * shared and survives a reload.
 */
export function SortButtons() {
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  // While a new sort order or filter is loading, display it as the current one.
  const params = new URLSearchParams(next?.pathname === pathname ? next.search : search);
  const chosen = params.get('sort') ?? undefined;
  const known = sortOrders.some(({ sort }) => sort === chosen) ? chosen : undefined;
  const navigate = useNavigate();
  const getLatestSearch = useLatestSearchParams();

  // On phones the row is wider than the screen, so the selected link is scrolled into view.
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every choice scrolls its link into view
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && link)
      row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2;
  }, [known]);

  return (
    <nav ref={row} aria-label="Sort by" className="scroll-row relative -mx-4 gap-2 px-4 py-1 md:mx-0 md:px-1">
      {sortOrders.map(({ label, sort }) => (
        <Link
          key={label}
          to={toSearch(params, sort)}
          replace
          preventScrollReset
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            // Use the latest URL, which contains a filter that was just chosen even if its results are
            // not rendered yet.
            navigate(toSearch(getLatestSearch(), sort), { replace: true, preventScrollReset: true });
          }}
          aria-current={sort === known ? 'true' : undefined}
          className={clsx(
            'inline-flex min-h-11 shrink-0 items-center whitespace-nowrap rounded-full border px-4 font-semibold text-sm transition-colors',
            sort === known
              ? 'border-brand bg-brand text-on-brand'
              : 'border-line-strong bg-surface text-ink hover:bg-hover',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
