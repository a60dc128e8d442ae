export { importBooks } from './book-import.ts';
export type { ImportProgress } from './import-repository.ts';
