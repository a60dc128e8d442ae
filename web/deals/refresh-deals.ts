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
      // Invalidation waits for a first request that is under way, whose response may be older than the event.
      await queryClient.cancelQueries({ queryKey });
      await queryClient.invalidateQueries({ queryKey });
    }),
  );
};
