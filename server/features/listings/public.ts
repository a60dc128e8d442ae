/** Public API of listings for the rest of the server. */
export type { ListingMatchingScheduler } from './matching-scheduler.ts';
export { createListingModeration, type ListingModeration } from './moderation-service.ts';
export { createListingRemovalScheduler, listingRemovalQueue } from './removal-queue.ts';
export { markListingSold } from './sale-repository.ts';
export { createListingService, type ListingService, lockListingChanges } from './service.ts';
export { createWordingReviewService, type WordingReviewService } from './wording-review-service.ts';
