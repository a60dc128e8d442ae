import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsKey } from '#web/lib/query-keys.ts';

/** Every query about deals has a key that begins with these parts. */
export const dealsKey = (ownId: string) => ['deals', ownId] as const;

/**
 * Fetches the deals on screen again, for example after an event line arrived, and the own listings,
 * which count their open deals and are on hold or sold because of them.
 */
export const refreshDeals = async (ownId: string): Promise<void> => {
  await Promise.all(
    [dealsKey(ownId), ownListingsKey(ownId)].map(async (queryKey) => {
      const firstLoads = queryClient
        .getQueryCache()
        .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined });
      await queryClient.invalidateQueries({ queryKey });
      // A first request that was under way has not been repeated, and its response may be older than the event.
      if (firstLoads.length > 0)
        await queryClient.invalidateQueries({ queryKey, predicate: (query) => firstLoads.includes(query) });
    }),
  );
};
