export { checkAvailability } from './availability-job.ts';
export { createSharedListingReads } from './deduplicate-reads.ts';
export { hideListingsOfFormerMember, showListingsOfMember } from './former-members.ts';
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
export { assertMayPublish } from './own-listings.ts';
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
export { checkSeatsOfSeller } from './same-seats.ts';
export { approveListing, approveListingWithin, requestListingChanges } from './wording-review.ts';
