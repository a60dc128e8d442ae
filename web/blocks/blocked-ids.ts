import { QueryObserver, queryOptions, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { declareStoredValue, onChangeInOtherTab } from '#web/lib/stored-values.ts';

/**
 * Time in ms after which the ids of blocked people count as stale and are refetched when a page opens,
 * because the person may have blocked somebody on another device.
 */
const staleTimeMs = 5 * 60_000;

/**
 * The ids of blocked people, saved on the device so that the next page load can hide their listings before it has
 * fetched the ids.
 */
const savedIds = declareStoredValue({
  name: 'blocked',
  scope: 'device',
  parse: (stored): readonly string[] | undefined =>
    Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : undefined,
});

const hasSameIds = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  one?.toSorted().join() === other?.toSorted().join();

/** The query that loads the ids of all people whom the signed-in person has blocked. */
const blockedIdsQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['blocked-ids', ownId],
    queryFn: async (): Promise<readonly string[]> => (await request(calls.listBlockedIds, {})).user_ids,
    initialData: () => savedIds.find(ownId),
    initialDataUpdatedAt: 0,
    staleTime: staleTimeMs,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Returns the ids of the people whom the signed-in person has blocked. Throws an ApiError if they cannot be loaded. */
export const loadBlockedIds = (ownId: string): Promise<readonly string[]> =>
  queryClient.fetchQuery(blockedIdsQuery(ownId));

/** Returns whether the signed-in person has blocked a user. Returns false until the blocked ids are loaded. */
export const useIsBlocked = (ownId: string, userId: string | null): boolean => {
  const { data } = useQuery(blockedIdsQuery(ownId), queryClient);
  return userId !== null && (data?.includes(userId) ?? false);
};

/**
 * Adds a user to the cached ids of blocked people, or removes the user. Cancels a fetch in progress,
 * because its response would overwrite the change.
 */
export const updateCachedBlockedIds = async (
  ownId: string,
  userId: string,
  isBlocked: boolean,
): Promise<void> => {
  const { queryKey } = blockedIdsQuery(ownId);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids) => {
    const others = ids?.filter((id) => id !== userId);
    return others && isBlocked ? [userId, ...others] : others;
  });
};

/**
 * Replaces the cached ids with those that another tab saved. If they differ, refetches everything on
 * screen, because a block changes conversations, deals and lists.
 */
const takeOverSavedIds = (ownId: string): void => {
  const { queryKey } = blockedIdsQuery(ownId);
  const saved = savedIds.find(ownId);
  if (!saved || hasSameIds(saved, queryClient.getQueryData(queryKey))) return;
  queryClient.setQueryData(queryKey, saved);
  void queryClient.invalidateQueries();
};

/**
 * Calls `onChange` with the ids of the people whom the signed-in person has blocked, now and after every
 * change in this or another tab, until the returned function is called.
 */
export const watchBlockedIds = (ownId: string, onChange: (ids: readonly string[]) => void): (() => void) => {
  const observer = new QueryObserver(queryClient, blockedIdsQuery(ownId));
  const report = ({
    data,
    isFetching,
  }: {
    data: readonly string[] | undefined;
    isFetching: boolean;
  }): void => {
    if (!data) return;
    // Saves the ids only when no fetch is in progress, because another tab may already have saved newer
    // ones. Saves nothing for people who never blocked anybody, so that no data about them stays on the
    // device.
    if (!isFetching && !hasSameIds(data, savedIds.find(ownId) ?? [])) savedIds.save(ownId, data);
    onChange(data);
  };
  report(observer.getCurrentResult());
  const stopObserving = observer.subscribe(report);
  const stopListening = onChangeInOtherTab(ownId, () => takeOverSavedIds(ownId));
  return () => {
    stopListening();
    stopObserving();
  };
};
