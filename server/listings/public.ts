/** What other folders may use of listings. */
export { createListingModeration, type ListingModeration } from './moderation-service.ts';
export { createListings, type Listings, lockListingChanges } from './service.ts';
