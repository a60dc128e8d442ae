/** Public API of the pages for other features and for the code that assembles the server. */
export {
  invalidateListingPages,
  invalidateProfilePages,
  invalidateSellerPages,
} from './page-invalidation.ts';
