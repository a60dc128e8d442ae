import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** The filter bar. It is server-rendered; its script loads after the scripts that every page needs. */
export const LazyFilterBar = lazyComponent(async () => (await import('./filter-bar.tsx')).FilterBar, {
  placeholder: () => <div className="mb-2 h-[3.125rem] md:mb-6 md:h-[6.5rem]" />,
});

// The illustrations of the empty states are loaded only when an empty state is shown.

export const LazyBrowseEmptyState = lazyComponent(
  async () => (await import('./browse-empty.tsx')).BrowseEmptyState,
);

export const LazyFilteredEmptyState = lazyComponent(
  async () => (await import('./filtered-empty.tsx')).FilteredEmptyState,
);
