/** Public API of the pages for other features and for the code that assembles the server. */
export {
  createPageInvalidation,
  invalidateListingPages,
  invalidateProfilePages,
  invalidateSellerPages,
  type PageInvalidation,
} from './page-invalidation.ts';
