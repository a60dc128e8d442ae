import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';

/** The server's response with one page of a list. */
interface ConsolePage<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface ConsoleListResult<Item> {
  /** The loaded items, or undefined until the first page has been loaded. */
  items: Item[] | undefined;
  failed: boolean;
  reload: () => void;
  /** The cursor of the next page, or null at the end of the list. */
  nextCursor: string | null;
  loadMore: () => Promise<void>;
}

/** Loads a list page by page. `queryKey` must contain the account's id and the filters. */
export const useConsoleList = <Item>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<ConsolePage<Item>>,
): ConsoleListResult<Item> => {
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    },
    queryClient,
  );
  return {
    items: data?.pages.flatMap((page) => page.items),
    failed: isError,
    reload: () => void refetch(),
    nextCursor: data?.pages.at(-1)?.next_cursor ?? null,
    loadMore: () => loadNextPage(fetchNextPage),
  };
};
