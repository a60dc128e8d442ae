/** Public API of the pages for other features and the shell. */
export { createPageInvalidation, type PageInvalidation } from './page-invalidation.ts';
