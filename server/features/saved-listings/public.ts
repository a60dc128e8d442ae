/** Public API of saved listings for the rest of the server. */

export { createSavedListingAlertJob } from './alert-job.ts';
export { queueSavedListingAlert, skipSavedListingAlerts } from './alert-repository.ts';
export { createSavedListingService } from './service.ts';
