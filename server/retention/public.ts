/** Public API of retention for other features and the shell. */
export { createRetention } from './service.ts';
