import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { Inbox } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { inboxQueryKey, refreshUnreadTotal } from './conversation-cache.ts';
import { flattenInbox } from './inbox.ts';

export interface UseInboxResult {
  data: Inbox | undefined;
  /** Whether the first load of the inbox failed. */
  failed: boolean;
  reload: () => void;
  /** Loads the next page. Throws if it cannot be loaded. */
  loadMore: () => Promise<void>;
}

/** The query that loads the inbox. Refetching it fetches all loaded pages again, one after another. */
export const inboxQuery = (ownId: string) =>
  infiniteQueryOptions({
    queryKey: inboxQueryKey(ownId),
    queryFn: ({ pageParam: cursor, signal }) => {
      if (!cursor) refreshUnreadTotal(ownId);
      return request(calls.listConversations, { query: { cursor }, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: flattenInbox,
  });

/** Returns the list of conversations. `useConversationUpdates` keeps it up to date. */
export const useInbox = (ownId: string): UseInboxResult => {
  const inbox = useInfiniteQuery(inboxQuery(ownId), queryClient);
  const { isFetchedAfterMount, isError, refetch, fetchNextPage } = inbox;
  // A list cached by an earlier visit is only used if it cannot be fetched again. Otherwise, the screen would
  // open the conversation that was the newest at that time.
  const data = isFetchedAfterMount ? inbox.data : undefined;
  return {
    data,
    failed: isError && !data,
    reload: () => void refetch(),
    loadMore: () => loadNextPage(fetchNextPage),
  };
};
