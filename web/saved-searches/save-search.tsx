import { Bookmark } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { SavedQuery } from '#contract/listing-queries.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';
import { lazyWithFallback, renderNothing } from '#web/ui/lazy-with-fallback.ts';

const SignInRequiredDialog = lazyDialog(
  async () => (await import('#web/ui/sign-in-required-dialog.tsx')).SignInRequiredDialog,
);
const OwnSaveSearch = lazyWithFallback(
  async () => (await import('./own-save-search.tsx')).OwnSaveSearch,
  renderNothing,
);

export interface SaveSearchProps {
  /** The search text and filters of the page. */
  query: SavedQuery;
  /**
   * Called with the time of the person's last visit when they saved this search and there are new matches; with undefined
   * when another search follows.
   */
  onVisit: (visitedAt: string | undefined) => void;
}

/** The button with which a person saves the search of the page; shows what is new if it is saved. */
export function SaveSearch({ query, onVisit }: SaveSearchProps) {
  const { user, loading } = useSession();
  const { pathname, search } = useLocation();
  const [params, setParams] = useSearchParams();
  const [isTapped, setIsTapped] = useState(false);
  // After logging in, a visitor returns with this parameter.
  const isRequested = params.has('save');
  const isOpen = isTapped || (isRequested && user !== undefined);

  const close = (): void => {
    setIsTapped(false);
    if (!isRequested) return;
    setParams(
      (before) => {
        before.delete('save');
        return before;
      },
      { replace: true, preventScrollReset: true, defaultShouldRevalidate: false },
    );
  };

  const button = (
    <Button
      variant="secondary"
      size="sm"
      icon={<Bookmark aria-hidden="true" className="size-4" />}
      onClick={() => setIsTapped(true)}
    >
      Save this search
    </Button>
  );
  if (user) {
    return (
      <Suspense fallback={button}>
        <OwnSaveSearch
          // The state of another search or account is not reused.
          key={user.id + JSON.stringify(query)}
          ownId={user.id}
          query={query}
          isOpen={isOpen}
          onOpen={() => setIsTapped(true)}
          onClose={close}
          onVisit={onVisit}
        />
      </Suspense>
    );
  }
  const returnParams = new URLSearchParams(search);
  returnParams.set('save', '1');
  return (
    <>
      {button}
      {isOpen && !loading && (
        <SignInRequiredDialog
          description="You need to be logged in to save searches. Please sign in or create an account to continue."
          returnTo={`${pathname}?${returnParams}`}
          onClose={close}
        />
      )}
    </>
  );
}
