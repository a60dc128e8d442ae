/** Public API of saved listings for the rest of the server. */
export { createListingChangeJob } from './changes.ts';
export { scheduleListingChange, skipListingChanges } from './changes-repository.ts';
export { createSavedListingService } from './service.ts';
