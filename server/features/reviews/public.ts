/** Public API of reviews for the rest of the server. */
export { getModeratedReview, removeReview, restoreReview } from './moderation.ts';
export { countPublishedReviews, listReviewsOfUser, writeReview } from './reviews.ts';
