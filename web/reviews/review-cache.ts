import { queryClient } from '#web/lib/query-client.ts';

const allDealReviewsQueryKey = (ownId: string) => ['deal-reviews', ownId] as const;

export const dealReviewsQueryKey = (ownId: string, dealId: string) =>
  [...allDealReviewsQueryKey(ownId), dealId] as const;

export const refreshDealReviews = (ownId: string): void =>
  void queryClient.invalidateQueries({ queryKey: allDealReviewsQueryKey(ownId) });
