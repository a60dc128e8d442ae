import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { maxExactNewMatchCount } from '#contract/paging.ts';
import { canAlertInstantly, type SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import { formatCount } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { canShowPushPrompt, PushPromptDialog } from '#web/push/public.ts';
import { Badge } from '#web/ui/badge.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { toast } from '#web/ui/toast.ts';
import { searchAlertLabels } from './alert-labels.ts';
import { isSameQuery, suggestSearchName } from './saved-search-query.ts';
import { changeSavedSearch, savedSearchesQuery, saveSearch } from './saved-searches.ts';

const SavedSearchDialog = lazyDialog(async () => (await import('./search-dialog.tsx')).SavedSearchDialog);

export interface SavedSearchStatusProps {
  ownId: string;
  /** The search text and filters of the page. */
  query: SavedSearchQuery;
  /** When the server read the results of the page, in ISO 8601. */
  resultsAt: string;
  /** Whether the person has tapped the button: the search is then saved, or edited if it is saved already. */
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
 * person has saved the page's search. Saves the search under a suggested name, and contains the dialog that edits it.
 */
export function SavedSearchStatus({
  ownId,
  query,
  resultsAt,
  isOpen,
  onSaved,
  onClose,
  onVisit,
}: SavedSearchStatusProps) {
  const campus = useCampus();
  const { data, isPending, refetch } = useQuery(savedSearchesQuery(ownId), queryClient);
  const find = (searches = data) => searches?.find((search) => isSameQuery(search.query, query));
  const saved = find();
  const isSaved = saved !== undefined;
  useEffect(() => {
    onSaved(isSaved);
    return () => onSaved(false);
  }, [isSaved, onSaved]);
  const [dialog, setDialog] = useState<'edit' | 'push'>();
  const close = () => {
    setDialog(undefined);
    onClose();
  };
  const start = useEffectEvent(async () => {
    const alert = canAlertInstantly(query) ? 'instant' : 'daily';
    try {
      // Saving a search again would replace its name, so first make sure that it is not saved.
      if (find(data ?? (await refetch({ throwOnError: true })).data)) return setDialog('edit');
      await saveSearch(ownId, { name: suggestSearchName(query, campus), query, alert });
      toast.success('Search saved', `You hear about new listings ${searchAlertLabels[alert].toLowerCase()}.`);
      if (canShowPushPrompt(ownId)) return setDialog('push');
    } catch (reason) {
      toast.error('Failed to save search', (reason as Error).message);
    }
    onClose();
  });
  const isReady = isOpen && !isPending;
  useEffect(() => {
    if (isReady) void start();
  }, [isReady]);
  return (
    <>
      {saved && (
        <NewMatches key={saved.id} search={saved} ownId={ownId} resultsAt={resultsAt} onVisit={onVisit} />
      )}
      {dialog === 'edit' && saved && <SavedSearchDialog ownId={ownId} search={saved} onClose={close} />}
      {dialog === 'push' && (
        <PushPromptDialog
          ownId={ownId}
          question="Get a notification when something new matches?"
          onEnd={close}
        />
      )}
    </>
  );
}

interface NewMatchesProps extends Pick<SavedSearchStatusProps, 'onVisit' | 'resultsAt'> {
  search: SavedSearchWithNewCount;
  ownId: string;
}

/**
 * Records the visit and says how many listings are new since the last one. Records it even if none is new, so that
 * matches that the person sees before they are announced are not announced later.
 */
function NewMatches({ search, ownId, resultsAt, onVisit }: NewMatchesProps) {
  const campus = useCampus();
  const [newCount, setNewCount] = useState(0);
  const visit = useEffectEvent(async (): Promise<ReadonlySet<string>> => {
    const { new_count: knownCount } = search;
    try {
      const newIds = new Set(
        await changeSavedSearch(ownId, search, { visited: true, results_at: resultsAt }),
      );
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
      <span>{`${formatCount(newCount, campus, maxExactNewMatchCount - 1)} new`}</span>
      <span className="sr-only"> since your last visit</span>
    </Badge>
  );
}
