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
