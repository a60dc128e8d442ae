import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';

/** Returns the key prefix that all queries about a person's deals share. */
export const dealsQueryKey = (ownId: string) => ['deals', ownId] as const;

/**
 * Refetches the deals on screen, and also the person's own listings, because a change to a deal can change their
 * status and number of open deals. Called, for example, when a deal event arrives in a conversation.
 */
export const refreshDeals = async (ownId: string): Promise<void> => {
  await Promise.all(
    [dealsQueryKey(ownId), ownListingsQueryKey(ownId)].map(async (queryKey) => {
      const firstLoads = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await queryClient.invalidateQueries({ queryKey });
      // Invalidating a query that is still loading for the first time does not restart its request, which
      // may have been sent before the event. Therefore, invalidate such queries again after they have
      // loaded.
      if (firstLoads.length > 0)
        await queryClient.invalidateQueries({ queryKey, predicate: (query) => firstLoads.includes(query) });
    }),
  );
};
