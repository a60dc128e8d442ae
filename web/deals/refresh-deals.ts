import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsKey } from '#web/lib/query-keys.ts';

/** Every query about deals has a key that begins with these parts. */
export const dealsKey = (ownId: string) => ['deals', ownId] as const;

/**
 * Refetches the deals on screen, for example after an event line arrived, and the person's own
 * listings, whose number of open deals and status depend on deals.
 */
export const refreshDeals = async (ownId: string): Promise<void> => {
  await Promise.all(
    [dealsKey(ownId), ownListingsKey(ownId)].map(async (queryKey) => {
      const firstLoads = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await queryClient.invalidateQueries({ queryKey });
      // Invalidating does not repeat a first request in progress, and its response may be older
      // than the event, so repeat it.
      if (firstLoads.length > 0)
        await queryClient.invalidateQueries({ queryKey, predicate: (query) => firstLoads.includes(query) });
    }),
  );
};
