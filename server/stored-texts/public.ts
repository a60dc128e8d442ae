/**
 * Public API of the job that checks stored texts against the current rules, for other features and for the
 * code that assembles the server.
 */
export { createStoredTextCheck } from './service.ts';
