/** Public API of retention for other features and for the code that assembles the server. */
export { createRetentionService } from './service.ts';
