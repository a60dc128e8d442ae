import { type FetchNextPageOptions, notifyManager, QueryClient } from '@tanstack/react-query';
import { getSessionSnapshot, onSessionChange } from './session.ts';

/**
 * The cache of private data. It is a module constant instead of a React context, because the socket
 * and the outbox write to the cache from outside React, and because dialogs on public pages have no
 * provider around them. Pass it to `useQuery` as the second argument.
 *
 * Data is removed when no screen uses it, unless its query sets `gcTime`. Queries also run while
 * the device is offline, so that a screen shows an error instead of waiting silently. Failed
 * queries are repeated when the device is back online.
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

export const refetchFailedQueries = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

type FetchNextPage = (
  options: FetchNextPageOptions,
) => Promise<{ isFetchNextPageError: boolean; error: Error | null }>;

/**
 * Loads the next page of a list. Throws if the page cannot be loaded. If the loaded pages are being
 * refetched, only waits for the refetch; the component at the end of the list then calls this function
 * again.
 */
export const loadNextPage = async (fetchNextPage: FetchNextPage): Promise<void> => {
  const { isFetchNextPageError, error } = await fetchNextPage({ cancelRefetch: false });
  if (isFetchNextPageError) throw error;
};

// Changes that are made to the cache and to the outbox in the same task must render together. The
// cache therefore notifies its observers in a microtask, instead of a timer as by default.
notifyManager.setScheduler(queueMicrotask);

let cacheOwnerId: string | undefined;

/** Clears the cache when the session ends or another account logs in. */
const clearCacheOnAccountChange = (): void => {
  const next = getSessionSnapshot().user?.id;
  if (next !== cacheOwnerId) queryClient.clear();
  cacheOwnerId = next;
};

if (typeof window !== 'undefined') {
  clearCacheOnAccountChange();
  onSessionChange(clearCacheOnAccountChange);
  window.addEventListener('online', () => void refetchFailedQueries());
}
