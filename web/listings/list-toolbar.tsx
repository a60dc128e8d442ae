import type { ReactNode } from 'react';
import type { FilterBarProps } from './filter-bar.tsx';
import { LazyFilterBar, LazyFilterChips } from './lazy-parts.tsx';

export interface ListToolbarProps extends FilterBarProps {
  /** The button that saves the search. */
  save?: ReactNode;
  /** The number of listings, unless the page shows it elsewhere. */
  count?: ReactNode;
}

/** The row above a list of listings: Filters, Sort and Save search, and below it on phones the chosen filters. */
export function ListToolbar({ save, count, names, sorts, ...bar }: ListToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 md:mb-5 md:gap-4">
      <LazyFilterBar names={names} sorts={sorts} {...bar} />
      {save}
      <LazyFilterChips names={names} sorts={sorts} />
      {count && <h2 className="font-semibold text-ink-muted max-md:basis-full md:ml-auto">{count}</h2>}
    </div>
  );
}
