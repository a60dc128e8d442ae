/** Public API of saved searches for the shell. */
export type { AnnounceMatches } from './matching.ts';
export {
  createListingMatching,
  createMatchingJob,
  listingMatchingQueue,
  matchingDelaySeconds,
} from './matching.ts';
export { createSavedSearchService } from './service.ts';
