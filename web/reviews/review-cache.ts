import { queryClient } from '#web/lib/query-client.ts';

const allDealReviewsQueryKey = (ownId: string) => ['deal-reviews', ownId] as const;

/** The query key of a deal's reviews. */
export const dealReviewsQueryKey = (ownId: string, dealId: string) =>
  [...allDealReviewsQueryKey(ownId), dealId] as const;

/** Refetches the reviews of deals that are on screen. */
export const refreshDealReviews = (ownId: string): void =>
  void queryClient.invalidateQueries({ queryKey: allDealReviewsQueryKey(ownId) });
