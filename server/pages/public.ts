/** Public API of the pages for other features and for the code that assembles the server. */
export { createPageInvalidation, type PageInvalidation } from './page-invalidation.ts';
