export {
  invalidateCategoryPages,
  invalidateListingPages,
  invalidateProfilePages,
  invalidateSellerPages,
} from './page-invalidation.ts';
