import { dealReviewsSchema, reviewBodySchema, reviewPageSchema, reviewQuerySchema } from '../reviews.ts';
import { declareCall, idParamsSchema } from './declare-call.ts';

/** Calls that write, change and list reviews of deals. */
export const reviewCalls = {
  listUserReviews: declareCall({
    method: 'GET',
    path: '/rest/v1/users/{id}/reviews',
    summary: 'The public reviews of a person, the newest first, ten at a time.',
    access: 'anyone',
    params: idParamsSchema,
    query: reviewQuerySchema,
    output: reviewPageSchema,
    notFound: 'user_not_found',
    errors: [],
  }),
  getDealReviews: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}/review',
    summary: "The caller's review of a deal, and the other party's once both exist or 14 days have passed.",
    access: 'user',
    params: idParamsSchema,
    output: dealReviewsSchema,
    notFound: 'deal_not_found',
    errors: [],
  }),
  reviewDeal: declareCall({
    method: 'POST',
    path: '/rest/v1/deals/{id}/review',
    summary:
      "Writes the caller's review of a completed deal within 14 days, or replaces it until it is public.",
    access: 'user',
    params: idParamsSchema,
    body: reviewBodySchema,
    output: dealReviewsSchema,
    notFound: 'deal_not_found',
    errors: ['review_not_possible'],
    limit: 'write',
  }),
} as const;
