/** Public API of saved listings for the shell. */
export { createSavedListingService } from './service.ts';
