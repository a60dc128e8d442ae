export { getModeratedReview, removeReview, restoreReview } from './moderation.ts';
export { countPublishedReviews, listReviewsOfUser, writeReview } from './reviews.ts';
