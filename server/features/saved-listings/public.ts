export { queueSavedListingAlert, skipSavedListingAlerts } from './alert-repository.ts';
