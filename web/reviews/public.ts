/**
 * The public API of the reviews feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */
export { DealReview } from './deal-review.tsx';
export { refreshDealReviews } from './review-cache.ts';
