/** Public API of saved searches for the rest of the server. */

export { createMatchAnnouncer } from './match-announcer.ts';
export type { MatchAnnouncer } from './matching.ts';
export {
  createListingMatching,
  createMatchingJob,
  listingMatchingQueue,
  matchingDelaySeconds,
} from './matching.ts';
export { removeStaleMatches, rescheduleDailyAlerts, skipDueAlerts } from './matching-repository.ts';
export { createSavedSearchService } from './service.ts';
