import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { SavedSearchItem } from './saved-search-item.tsx';
import { deleteSavedSearch, restoreSavedSearch, savedSearchesQuery } from './saved-searches.ts';

const SavedSearchDialog = lazyDialog(async () => (await import('./search-dialog.tsx')).SavedSearchDialog);

/** Time in milliseconds during which the deletion of a search can be undone. */
const undoTimeMs = 10_000;

/** The searches that the person saved, each with the number of new matches. */
export function SavedSearchesScreen({ ownId }: { ownId: string }) {
  const { data, isError, refetch } = useQuery(savedSearchesQuery(ownId), queryClient);
  const [edited, setEdited] = useState<SavedSearchWithNewCount>();
  const focusFallback = useFocusFallback<HTMLDivElement>();

  const restore = (search: SavedSearchWithNewCount): void => {
    restoreSavedSearch(ownId, search).then(
      () => toast.success('Search restored'),
      (reason: Error) => toast.error('Failed to restore search', reason.message),
    );
  };
  const remove = async (search: SavedSearchWithNewCount): Promise<void> => {
    const focusFrom = document.activeElement ?? undefined;
    try {
      await deleteSavedSearch(ownId, search);
      toast.success('Search deleted', search.name, {
        label: 'Undo',
        onSelect: () => restore(search),
        durationMs: undoTimeMs,
        focusFrom,
        group: 'deleted search',
      });
    } catch (reason) {
      toast.error('Failed to delete search', (reason as Error).message);
    }
  };

  if (!data) {
    return isError ? (
      <LoadFailed onRetry={() => void refetch()}>Failed to load your saved searches</LoadFailed>
    ) : (
      <ListSkeleton />
    );
  }
  return (
    <div {...focusFallback} className="outline-none">
      {data.length === 0 ? (
        <EmptyState
          illustration={<NothingFoundIllustration />}
          title="No saved searches yet"
          text="Search for something, or choose a category and filters, and tap “Save search” to learn what is new."
          action={
            <Button asChild>
              <Link to={links.browse}>Browse Listings</Link>
            </Button>
          }
        />
      ) : (
        <ul className="grid gap-3 lg:grid-cols-2">
          {data.map((search) => (
            <li key={search.id} className="grid min-w-0">
              <SavedSearchItem
                search={search}
                onEdit={() => setEdited(search)}
                onDelete={() => remove(search)}
              />
            </li>
          ))}
        </ul>
      )}
      {edited && <SavedSearchDialog ownId={ownId} search={edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

function ListSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-3 lg:grid-cols-2">
      <span role="status" className="sr-only">
        Loading your saved searches
      </span>
      {[0, 1, 2].map((index) => (
        <Skeleton key={index} className="h-28 rounded-lg" />
      ))}
    </div>
  );
}
