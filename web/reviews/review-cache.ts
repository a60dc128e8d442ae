/** The query key of a deal's reviews. */
export const dealReviewsQueryKey = (ownId: string, dealId: string) =>
  ['deal-reviews', ownId, dealId] as const;
