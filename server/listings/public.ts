/** Public API of listings for other features and the shell. */
export { createListingModeration, type ListingModeration } from './moderation-service.ts';
export { createListings, type Listings, lockListingChanges } from './service.ts';
