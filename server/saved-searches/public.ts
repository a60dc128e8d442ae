/** Public API of saved searches for the shell. */
export { createSavedSearchService } from './service.ts';
