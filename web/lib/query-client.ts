import { notifyManager, QueryClient } from '@tanstack/react-query';
import { getSessionView, onSessionChange } from './session.ts';

/**
 * The cache of private data. It lives outside React, because the socket and the outbox write to it, and because a dialog
 * on a public page uses it without a private screen around it: pass it to `useQuery` as second argument.
 *
 * Data lives as long as a screen shows it, unless its query says otherwise. Calls are made offline too, because a screen
 * that waits silently says less than one that failed, and they are repeated when the device is back online.
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

/** Refetches what is on screen and failed to load. */
export const refetchFailedQueries = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

// Changes of the cache and of the outbox that happen together also render together.
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
