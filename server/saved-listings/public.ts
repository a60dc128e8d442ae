/** Public API of saved listings for other features and the shell. */
export { createListingChangeJob } from './changes.ts';
export { scheduleListingChange, skipListingChanges } from './changes-repository.ts';
export { createSavedListingService } from './service.ts';
