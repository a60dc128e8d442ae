/** Public API for other features and the shell: the service that checks stored texts. */
export { createStoredTextCheck } from './service.ts';
