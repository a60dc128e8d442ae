import { useQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { SavedQuery } from '#contract/listing-queries.ts';
import { maxNewMatches } from '#contract/paging.ts';
import { canAlertInstantly, type ListedSearch } from '#contract/saved-searches.ts';
import { formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';
import { changeSearch, savedSearchesQuery } from './saved-searches.ts';
import { isSameQuery, suggestSearchName } from './search-results.ts';

const SearchDialog = lazyDialog(async () => (await import('./search-dialog.tsx')).SearchDialog);

interface OwnSaveSearchProps {
  ownId: string;
  /** The search text and filters of the page. */
  query: SavedQuery;
  /** Whether the dialog is open. */
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  /** Called with the time of the last visit when there are new matches; with undefined when another search follows. */
  onVisit: (visitedAt: string | undefined) => void;
}

/** The button for a signed-in person: it saves the search, or changes the one that is saved. */
export function OwnSaveSearch({ ownId, query, isOpen, onOpen, onClose, onVisit }: OwnSaveSearchProps) {
  const { mascot } = useCampus();
  const { data, isPending } = useQuery(savedSearchesQuery(ownId), queryClient);
  const saved = data?.find((search) => isSameQuery(search.query, query));
  const Icon = saved ? BookmarkCheck : Bookmark;
  return (
    <span className="inline-flex items-center gap-3">
      {saved && <NewMatches key={saved.id} search={saved} ownId={ownId} onVisit={onVisit} />}
      <Button
        variant="secondary"
        size="sm"
        icon={<Icon aria-hidden="true" className="size-4" />}
        loading={isOpen && isPending}
        onClick={onOpen}
      >
        {saved ? (
          <>
            Saved<span className="sr-only"> search</span>
          </>
        ) : (
          'Save this search'
        )}
      </Button>
      {isOpen && !isPending && (
        <SearchDialog
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
    </span>
  );
}

interface NewMatchesProps extends Pick<OwnSaveSearchProps, 'onVisit'> {
  search: ListedSearch;
  ownId: string;
}

/** Says how many listings are new since the last visit, and records the visit if there are any. */
function NewMatches({ search, ownId, onVisit }: NewMatchesProps) {
  // The number stays while the person looks at the results, although the visit is recorded.
  const [{ new_count }] = useState(search);
  const visit = useEffectEvent(() => {
    if (new_count === 0) return;
    onVisit(search.visited_at);
    // If this fails, the next visit shows the same number again.
    changeSearch(ownId, search, { visited: true }).catch(() => undefined);
  });
  const leave = useEffectEvent(() => onVisit(undefined));
  useEffect(() => {
    visit();
    return () => leave();
  }, []);
  if (new_count === 0) return null;
  return (
    <Badge tone="brand">
      {formatCount(new_count, maxNewMatches - 1)} new<span className="sr-only"> since your last visit</span>
    </Badge>
  );
}
