/** Public API of saved listings for the rest of the server. */

export { scheduleListingChange, skipListingChanges } from './changes-repository.ts';
export { createListingChangeJob } from './listing-change-job.ts';
export { createSavedListingService } from './service.ts';
