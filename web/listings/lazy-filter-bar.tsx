import { lazy } from 'react';
import { LazyBoundary } from '#web/ui/lazy-boundary.tsx';
import type { FilterBarProps } from './filter-bar.tsx';

const FilterBar = lazy(async () => ({ default: (await import('./filter-bar.tsx')).FilterBar }));

/** The filter bar. It is server-rendered; its script loads after the scripts that every page needs. */
export function LazyFilterBar(props: FilterBarProps) {
  return (
    <LazyBoundary fallback={<div className="mb-2 h-[3.125rem] md:mb-6 md:h-[6.5rem]" />}>
      <FilterBar {...props} />
    </LazyBoundary>
  );
}
