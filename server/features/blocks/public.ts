/** Public API of blocks for the rest of the server. */
export { blockPerson } from './blocking.ts';
