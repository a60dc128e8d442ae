import { calls } from '#contract/calls.ts';
import type { Category } from '#contract/categories.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

/** The open wanted posts of a category and with a text in their titles, as the person sees them. */
export const wantedListQuery = (
  viewerId: string | undefined,
  { category, q }: { category: Category | undefined; q: string | undefined },
) => ({
  queryKey: ['wanted', viewerId, category, q],
  queryFn: ({ pageParam: cursor, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    request(calls.listWantedPosts, { query: { category, q: q || undefined, cursor }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
});

export const ownWantedQuery = (ownId: string) => ({
  queryKey: ['own-wanted', ownId],
  queryFn: ({ signal }: { signal: AbortSignal }) => request(calls.listMyWantedPosts, { signal }),
});

/** Loads all lists of wanted posts again, after the person has changed one of theirs. */
export const refreshWanted = (): void => {
  void queryClient.invalidateQueries({ queryKey: ['wanted'] });
  void queryClient.invalidateQueries({ queryKey: ['own-wanted'] });
};
