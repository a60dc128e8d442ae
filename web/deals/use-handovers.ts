import { queryOptions, useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import type { Deal } from '#contract/deals.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { dealsQueryKey } from './refresh-deals.ts';
import { useNow } from './use-now.ts';

/** How long the handovers stay cached while no screen shows them, in milliseconds, so that Back shows them at once. */
const cacheLifetimeMs = 10 * 60_000;

/** The query that loads the person's coming handovers. Like all deals, they are refetched when a deal changes. */
const handoversQuery = (ownId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'handovers'],
    queryFn: async ({ signal }) => (await request(calls.listHandovers, { signal })).items,
    refetchOnWindowFocus: true,
    gcTime: cacheLifetimeMs,
  });

/** An agreed meeting of two people: its time (ISO 8601), and the deals whose items change hands. */
export interface Handover {
  deals: readonly [Deal, ...Deal[]];
  place: string;
  landmark?: string | undefined;
  time: string;
}

/** Returns the meetings at which deals are handed over. Deals with the same person, time and place share one. */
export const toHandovers = (deals: readonly Deal[]): Handover[] => {
  const handovers = new Map<string, Handover>();
  for (const deal of deals) {
    const { time, place, landmark } = deal.handover ?? {};
    if (!time || place === undefined) continue;
    const key = JSON.stringify([time, place, deal.other?.id ?? deal.id]);
    const same = handovers.get(key)?.deals;
    handovers.set(key, { deals: same ? [...same, deal] : [deal], place, landmark, time });
  }
  return [...handovers.values()];
};

/**
 * Returns the person's coming handovers, the next one first, and the current time, which decides what is coming.
 * `isFetched` stays true while they are refetched after a failure.
 */
export const useHandovers = (ownId: string) => {
  const now = useNow();
  const { data, isError, isFetched, refetch } = useQuery(handoversQuery(ownId), queryClient);
  const handovers = data && toHandovers(data.filter((deal) => !isMeetingQuestionDue(deal, now)));
  return { handovers, isFetched, isError: isError && !data, reload: () => void refetch(), now };
};
