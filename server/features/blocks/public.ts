/** Public API of blocks for the rest of the server. */
export { createBlockService } from './service.ts';
