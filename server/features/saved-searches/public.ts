/** Public API of saved searches for the rest of the server. */

export {
  listingMatchingQueue,
  matchDueListings,
  matchEditedListing,
  matchingDelaySeconds,
  matchPublishedListing,
} from './matching.ts';
export { rescheduleDailyAlerts, skipDueAlerts } from './matching-repository.ts';
export { correctTextKeys } from './repository.ts';
export { saveSearch } from './saved-searches.ts';
