/** Public API of listings for the rest of the server. */
import type { Queryable } from '#server/platform/postgres/database.ts';

export { createSharedListingReads } from './deduplicate-reads.ts';
export { createMatchCountCache } from './match-count-cache.ts';
export {
  changeTakeDownReasonWithin,
  getModeratedListing,
  hideListingsOf,
  requestListingChangesWithin,
  restoreListing,
  restoreListingWithin,
  showListingsOf,
  takeDownListing,
  takeDownListingWithin,
} from './moderation.ts';
export type { ModeratedListing } from './moderation-repository.ts';
export {
  getPublishedListing,
  listLatestListings,
  listPublishedListings,
  listSimilarListings,
  listSitemapListings,
  searchSimilarListings,
} from './reading.ts';
export { listingRemovalQueue } from './removal-queue.ts';
export { lockListingChanges } from './repository.ts';
export { markListingSold } from './sale-repository.ts';
export { approveListing, approveListingWithin, requestListingChanges } from './wording-review.ts';

// Legacy: remove each with the last factory that takes it.
export interface ListingMatchingScheduler {
  scheduleForPublished(tx: Queryable, listingId: string): Promise<void>;
  scheduleForEdited(tx: Queryable, listingId: string): Promise<void>;
}
export interface ListingModeration {
  hideAllOf(tx: Queryable, userId: string): Promise<void>;
  showAllOf(tx: Queryable, userId: string): Promise<void>;
}
export interface ListingService {
  lockListingChanges(tx: Queryable, userId: string): Promise<void>;
}
