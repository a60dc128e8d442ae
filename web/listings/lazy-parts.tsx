import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** The filter bar. It is server-rendered; its script loads after the scripts that every page needs. */
export const LazyFilterBar = lazyComponent(async () => (await import('./filter-bar.tsx')).FilterBar, {
  placeholder: () => <div className="h-11 w-46 md:h-[9.75rem] md:basis-full" />,
});

// The filter bar, which is in the same script, says when it could not be loaded.
export const LazyFilterChips = lazyComponent(async () => (await import('./filter-bar.tsx')).FilterChips, {
  failed: () => null,
});

// The illustrations of the empty states are loaded only when an empty state is shown.

export const LazyBrowseEmptyState = lazyComponent(
  async () => (await import('./browse-empty.tsx')).BrowseEmptyState,
);

export const LazyFilteredEmptyState = lazyComponent(
  async () => (await import('./filtered-empty.tsx')).FilteredEmptyState,
);
