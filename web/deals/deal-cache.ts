import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { type Deal, dealSchema } from '#contract/deals.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { dealsQueryKey, refreshDeals } from './refresh-deals.ts';

/**
 * Interval at which an open deal is refetched, in milliseconds. It is refetched because some transitions
 * become possible or impossible as time passes.
 */
export const dealRefetchIntervalMs = 60_000;

export const conversationDealsQueryKey = (ownId: string, conversationId: string) =>
  [...dealsQueryKey(ownId), 'conversation', conversationId] as const;

/** The query that loads the open deals about one of the person's own listings, in the order of the queue. */
export const dealQueueQuery = (ownId: string, listingId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'queue', listingId],
    queryFn: ({ signal }) => request(calls.listDealsOfListing, { params: { id: listingId }, signal }),
  });

/**
 * Fetches whether one of the person's own listings has open deals, because cached deals may be out of date. Returns
 * undefined if they cannot be loaded.
 */
export const fetchHasOpenDeals = async (ownId: string, listingId: string): Promise<boolean | undefined> => {
  const queue = await queryClient
    .fetchQuery({ ...dealQueueQuery(ownId, listingId), staleTime: 0 })
    .catch(() => undefined);
  return queue && queue.items.length > 0;
};

/**
 * The query that loads the person's own open deal about a listing, the number of other people's offers, and
 * the days on which somebody else has the item.
 */
export const listingDealQuery = (ownId: string, listingId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'listing', listingId],
    queryFn: ({ signal }) => request(calls.findListingDeal, { params: { id: listingId }, signal }),
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.deal ? dealRefetchIntervalMs : false),
  });

/** The query that loads the photos of the item's condition in one of the person's rentals. */
export const rentalPhotosQuery = (ownId: string, dealId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'photos', dealId],
    queryFn: ({ signal }) => request(calls.listRentalPhotos, { params: { id: dealId }, signal }),
    refetchOnMount: 'always',
  });

/** Fetches the newest deals of a conversation, newest first. */
export const fetchConversationDeals = async (
  conversationId: string,
  signal: AbortSignal,
): Promise<Deal[]> => {
  const query = { conversation_id: conversationId };
  const { items } = await request(calls.listDeals, { query, signal });
  return items;
};

/**
 * Stores a changed deal in the cache, then refetches the other deals on screen, which may have changed
 * because of it.
 */
export const applyDeal = (ownId: string, deal: Deal): void => {
  queryClient.setQueryData<Deal[]>(conversationDealsQueryKey(ownId, deal.conversation_id), (deals = []) =>
    deals.some(({ id }) => id === deal.id)
      ? deals.map((other) => (other.id === deal.id ? deal : other))
      : [deal, ...deals],
  );
  void refreshDeals(ownId);
};

/**
 * Returns the deal's current state from the error response to a refused transition, or undefined if the
 * response contains no deal.
 */
export const parseDealFromError = (body: object | undefined): Deal | undefined =>
  dealSchema.safeParse((body as { deal?: unknown } | undefined)?.deal).data;
