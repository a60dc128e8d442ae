/** Public API of saved listings for the rest of the server. */

export { queueSavedListingAlert, skipSavedListingAlerts } from './alert-repository.ts';
