export {
  invalidateListingPages,
  invalidateProfilePages,
  invalidateSellerPages,
} from './page-invalidation.ts';
