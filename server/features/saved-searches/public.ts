/** Public API of saved searches for the rest of the server. */

export { createMatchNotifier } from './match-notifier.ts';
export type { MatchNotifier } from './matching.ts';
export {
  createListingMatchingScheduler,
  createMatchingJob,
  listingMatchingQueue,
  matchEditedListing,
  matchingDelaySeconds,
  matchPublishedListing,
} from './matching.ts';
export { removeStaleMatches, rescheduleDailyAlerts, skipDueAlerts } from './matching-repository.ts';
export { createSavedSearchService } from './service.ts';
