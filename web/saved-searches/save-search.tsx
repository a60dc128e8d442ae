import { Bookmark, BookmarkCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';
import { toast } from '#web/ui/toast.ts';
import type { SavedSearchStatusProps } from './saved-search-status.tsx';

const SignInRequiredDialog = lazyDialog(
  async () => (await import('#web/ui/sign-in-required-dialog.tsx')).SignInRequiredDialog,
);
const SavedSearchStatus = lazyComponent(
  async () => (await import('./saved-search-status.tsx')).SavedSearchStatus,
  { failed: FailedOwnSearch },
);

/**
 * Replaces the component for signed-in people if its script could not be loaded. Reports this when the
 * person taps the button.
 */
function FailedOwnSearch({ isOpen, onClose, reason }: SavedSearchStatusProps & { reason: string }) {
  const report = useEffectEvent(() => {
    toast.error(reason);
    onClose();
  });
  useEffect(() => {
    if (isOpen) report();
  }, [isOpen]);
  return null;
}

export interface SaveSearchButtonProps {
  /** The search text and filters of the page. */
  query: SavedSearchQuery;
  /** When the server read the results of the page, in ISO 8601. */
  resultsAt: string;
  /**
   * If the person has saved this search, called with the ids of the new matches. Called with undefined when the
   * search changes.
   */
  onVisit: (newIds: ReadonlySet<string> | undefined) => void;
}

/**
 * The button that saves the search of the current page. If the search is saved, also shows the number of
 * new matches. The component for signed-in people is loaded separately and does not replace the button, so
 * that no tap is lost.
 */
export function SaveSearchButton({ query, resultsAt, onVisit }: SaveSearchButtonProps) {
  const { user, loading } = useSession();
  const { pathname, search, key: visit } = useLocation();
  const [params, setParams] = useSearchParams();
  const key = JSON.stringify(query);
  // The search for which the button was tapped. Another search is not saved when this one changes meanwhile.
  const [tappedKey, setTappedKey] = useState<string>();
  const [isSaved, setIsSaved] = useState(false);
  // The log-in screen returns with this query parameter after a visitor has tried to save the search.
  const isRequested = params.has('save');
  // A link from elsewhere begins the first visit of the document, and must not save anything.
  const isReturning = isRequested && user !== undefined && visit !== 'default';
  const isOpen = tappedKey === key || isReturning;

  const close = (): void => {
    setTappedKey(undefined);
    if (!isRequested) return;
    setParams(
      (before) => {
        before.delete('save');
        return before;
      },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  };
  const returnParams = new URLSearchParams(search);
  returnParams.set('save', '1');
  const Icon = isSaved ? BookmarkCheck : Bookmark;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {user && (
        <SavedSearchStatus
          // The key resets the state when the search or the account changes.
          key={user.id + key}
          ownId={user.id}
          query={query}
          resultsAt={resultsAt}
          isOpen={isOpen}
          onSaved={setIsSaved}
          onClose={close}
          onVisit={onVisit}
        />
      )}
      <Button
        variant="secondary"
        size="sm"
        className="rounded-full! px-3!"
        icon={<Icon aria-hidden="true" className="size-4" />}
        loading={isOpen && user !== undefined && !isSaved}
        onClick={() => setTappedKey(key)}
      >
        {isSaved ? (
          <>
            Saved<span className="sr-only"> search</span> · Edit
          </>
        ) : (
          <>
            Save<span className="max-[24.375rem]:sr-only"> search</span>
          </>
        )}
      </Button>
      {isOpen && !user && !loading && (
        <SignInRequiredDialog
          description="You need to be logged in to save searches. Please sign in or create an account to continue."
          returnTo={`${pathname}?${returnParams}`}
          onClose={close}
        />
      )}
    </span>
  );
}
