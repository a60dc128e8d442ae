/** Public API of the check of stored texts, for other features and for the code that assembles the server. */
export { createStoredTextCheck } from './service.ts';
