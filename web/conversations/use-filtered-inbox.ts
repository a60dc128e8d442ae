import { keepPreviousData, skipToken, useInfiniteQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { filteredInboxQueryKey } from './conversation-cache.ts';
import { flattenInbox } from './inbox.ts';
import { type InboxFilter, isInTab, isWholeInbox, matchesFilter, toFilterParams } from './inbox-filter.ts';
import type { UseInboxResult } from './use-inbox.ts';

/**
 * Returns the conversations that a filter leaves; without one, the whole inbox, which is given. Until those of a tab are
 * loaded, returns the loaded ones that belong to it.
 */
export const useFilteredInbox = (
  ownId: string,
  whole: UseInboxResult,
  filter: InboxFilter,
): UseInboxResult => {
  const isWhole = isWholeInbox(filter);
  const filtered = useInfiniteQuery(
    {
      queryKey: [...filteredInboxQueryKey(ownId), filter],
      queryFn: isWhole
        ? skipToken
        : ({ pageParam: cursor, signal }) =>
            request(calls.listConversations, { query: { ...toFilterParams(filter), cursor }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor,
      select: flattenInbox,
      // While somebody types, the previous results stay.
      placeholderData: (before, query) =>
        filter.q && (query?.queryKey[2] as InboxFilter | undefined)?.q ? keepPreviousData(before) : undefined,
    },
    queryClient,
  );
  if (isWhole) return whole;
  const { data, isError, refetch, fetchNextPage } = filtered;
  const filteredData = data && {
    ...data,
    items: data.items.filter((item) => matchesFilter(filter, ownId, item)),
  };
  const known =
    filter.q || filter.archived || !whole.data
      ? undefined
      : {
          items: whole.data.items.filter((item) => isInTab(filter.tab, ownId, item)),
          next_cursor: null,
        };
  return {
    data: filteredData ?? (known?.items.length || isError ? known : undefined),
    failed: isError && !data && !known,
    reload: () => void refetch(),
    loadMore: () => loadNextPage(fetchNextPage),
  };
};
