export { blockPerson } from './blocking.ts';
