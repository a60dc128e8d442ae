/** What features may use of the pages. */
export { createPageInvalidation, type PageInvalidation } from './page-invalidation.ts';
