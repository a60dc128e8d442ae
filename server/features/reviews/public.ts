/** Public API of reviews for the rest of the server. */
export { createReviewModeration, type ReviewModeration } from './moderation-service.ts';
export { createReviewService } from './service.ts';
