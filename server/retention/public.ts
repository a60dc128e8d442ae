/** Public API of retention for other features and the shell. */
export { createRetentionService } from './service.ts';
