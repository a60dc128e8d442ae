import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { Inbox } from '#contract/conversations.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { inboxKey, refreshUnreadTotal } from './conversation-cache.ts';
import { flattenInbox } from './inbox.ts';

export interface InboxView {
  data: Inbox | undefined;
  /** The first load failed. */
  failed: boolean;
  reload: () => void;
  /** Loads the page after those that are shown. Throws when that fails. */
  loadMore: () => Promise<void>;
}

/** All loaded pages are read again when the inbox is, one after the other. */
export const inboxQuery = (ownId: string) =>
  infiniteQueryOptions({
    queryKey: inboxKey(ownId),
    queryFn: ({ pageParam: cursor, signal }) => {
      if (!cursor) refreshUnreadTotal(ownId);
      return request(calls.listConversations, { query: { cursor }, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: flattenInbox,
  });

/** The list of conversations. `useConversationUpdates` keeps it current. */
export const useInbox = (ownId: string): InboxView => {
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(inboxQuery(ownId), queryClient);
  return {
    data,
    failed: isError && !data,
    reload: () => void refetch(),
    loadMore: async () => {
      // A read of the pages before goes first; the end of the list then asks again.
      const { isFetchNextPageError, error } = await fetchNextPage({ cancelRefetch: false });
      if (isFetchNextPageError) throw error;
    },
  };
};
