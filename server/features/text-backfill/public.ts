/**
 * Public API of the job that applies the current rules to stored texts, for other features and for the
 * code that assembles the server.
 */
export { createTextBackfill } from './service.ts';
