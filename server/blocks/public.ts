/** Public API of blocks for the shell. */
export { createBlockService } from './service.ts';
