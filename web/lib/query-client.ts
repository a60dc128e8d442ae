import { type FetchNextPageOptions, notifyManager, QueryClient } from '@tanstack/react-query';
import { getSessionView, onSessionChange } from './session.ts';

/**
 * The cache of private data. It is a module constant instead of a React context, because the socket and the outbox write
 * to it, and because dialogs on public pages have no provider around them: pass it to `useQuery` as second argument.
 *
 * Data is removed when no screen uses it, unless its query sets `gcTime`. Queries run offline too, so that a screen shows
 * an error instead of waiting silently; failed ones are fetched again when the device is back online.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      gcTime: 0,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Refetches the failed queries of mounted screens. */
export const refetchFailedQueries = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

type FetchNextPage = (
  options: FetchNextPageOptions,
) => Promise<{ isFetchNextPageError: boolean; error: Error | null }>;

/**
 * Loads the next page of a list. A refetch of the loaded pages takes precedence; the end of the list then requests the
 * next page again. Throws when the page cannot be loaded.
 */
export const loadNextPage = async (fetchNextPage: FetchNextPage): Promise<void> => {
  const { isFetchNextPageError, error } = await fetchNextPage({ cancelRefetch: false });
  if (isFetchNextPageError) throw error;
};

// Simultaneous changes to the cache and the outbox must render together, so updates are delivered in a microtask.
notifyManager.setScheduler(queueMicrotask);

let cacheOwnerId: string | undefined;

/** Clears the cache when the session ends or another account logs in. */
const clearCacheOnAccountChange = (): void => {
  const next = getSessionView().user?.id;
  if (next !== cacheOwnerId) queryClient.clear();
  cacheOwnerId = next;
};

if (typeof window !== 'undefined') {
  clearCacheOnAccountChange();
  onSessionChange(clearCacheOnAccountChange);
  window.addEventListener('online', () => void refetchFailedQueries());
}
