import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { maxExactNewMatchCount } from '#contract/paging.ts';
import { canAlertInstantly, type SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import { formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { isSameQuery, suggestSearchName } from './saved-search-query.ts';
import { changeSavedSearch, savedSearchesQuery } from './saved-searches.ts';

const SavedSearchDialog = lazyDialog(async () => (await import('./search-dialog.tsx')).SavedSearchDialog);

export interface SavedSearchStatusProps {
  ownId: string;
  /** The search text and filters of the page. */
  query: SavedSearchQuery;
  isOpen: boolean;
  /** Called with whether the person has saved this search, once this is known and whenever it changes. */
  onSaved: (isSaved: boolean) => void;
  onClose: () => void;
  /**
   * Called with the ids of the new matches, and with undefined when the search changes.
   */
  onVisit: (newIds: ReadonlySet<string> | undefined) => void;
}

/**
 * The part of the save button that is only for signed-in people. Shows the number of new matches if the
 * person has saved the page's search, and contains the dialog that saves or edits the search.
 */
export function SavedSearchStatus({
  ownId,
  query,
  isOpen,
  onSaved,
  onClose,
  onVisit,
}: SavedSearchStatusProps) {
  const { mascot } = useCampus();
  const { data, isPending } = useQuery(savedSearchesQuery(ownId), queryClient);
  const saved = data?.find((search) => isSameQuery(search.query, query));
  const isSaved = saved !== undefined;
  useEffect(() => {
    onSaved(isSaved);
    return () => onSaved(false);
  }, [isSaved, onSaved]);
  return (
    <>
      {saved && <NewMatches key={saved.id} search={saved} ownId={ownId} onVisit={onVisit} />}
      {isOpen && isPending && <Spinner size="sm" />}
      {isOpen && !isPending && (
        <SavedSearchDialog
          ownId={ownId}
          search={
            saved ?? {
              name: suggestSearchName(query, mascot),
              query,
              alert: canAlertInstantly(query) ? 'instant' : 'daily',
            }
          }
          onClose={onClose}
        />
      )}
    </>
  );
}

interface NewMatchesProps extends Pick<SavedSearchStatusProps, 'onVisit'> {
  search: SavedSearchWithNewCount;
  ownId: string;
}

/**
 * Records the visit and says how many listings are new since the last one. Records it even if none is new, so that
 * matches that the person sees before they are announced are not announced later.
 */
function NewMatches({ search, ownId, onVisit }: NewMatchesProps) {
  const [newCount, setNewCount] = useState(0);
  const visit = useEffectEvent(async (): Promise<ReadonlySet<string>> => {
    const { new_count: knownCount } = search;
    try {
      const newIds = new Set(await changeSavedSearch(ownId, search, { visited: true }));
      setNewCount(newIds.size);
      return newIds;
    } catch {
      // The next visit shows the same number again.
      setNewCount(knownCount);
      return new Set();
    }
  });
  const mark = useEffectEvent(onVisit);
  useEffect(() => {
    let hasLeft = false;
    void visit().then((newIds) => !hasLeft && mark(newIds));
    return () => {
      hasLeft = true;
      mark(undefined);
    };
  }, []);
  if (newCount === 0) return null;
  return (
    <Badge tone="brand">
      <span>{`${formatCount(newCount, maxExactNewMatchCount - 1)} new`}</span>
      <span className="sr-only"> since your last visit</span>
    </Badge>
  );
}
