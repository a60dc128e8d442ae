/** Public API of the check of stored texts for other features and the shell. */
export { createStoredTexts } from './service.ts';
