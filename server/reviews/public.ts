/** Public API of reviews for the shell and commands. */
export { createReviewModeration, type ReviewModeration } from './moderation-service.ts';
export { createReviewService } from './service.ts';
