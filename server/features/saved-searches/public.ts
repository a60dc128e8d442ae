export {
  listingMatchingQueue,
  matchDueListings,
  matchEditedListing,
  matchListingsOnReturn,
  matchPublishedListing,
} from './matching.ts';
export { rescheduleDailyAlerts, skipDueAlerts } from './matching-repository.ts';
export { correctTextKeys } from './repository.ts';
export { saveSearch } from './saved-searches.ts';
export { matchingDelaySeconds } from './sql.ts';
