import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsKey } from '#web/lib/query-keys.ts';

/** Returns the beginning of the keys of all queries about a person's deals. */
export const dealsKey = (ownId: string) => ['deals', ownId] as const;

/**
 * Refetches the deals on screen and the person's own listings, whose status and number of open deals
 * depend on deals. Called, for example, after an event line has arrived.
 */
export const refreshDeals = async (ownId: string): Promise<void> => {
  await Promise.all(
    [dealsKey(ownId), ownListingsKey(ownId)].map(async (queryKey) => {
      const firstLoads = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await queryClient.invalidateQueries({ queryKey });
      // Invalidating a query does not restart its first fetch, whose response may be older than the
      // event. Therefore invalidate such queries again.
      if (firstLoads.length > 0)
        await queryClient.invalidateQueries({ queryKey, predicate: (query) => firstLoads.includes(query) });
    }),
  );
};
