/** This feature's public API for other features and the shell; routes import its components directly. */
export { type CategoryCopy, findCategoryCopy, genericHeading } from './category-copy.ts';
export {
  type FilterName,
  pageFilters,
  parseChosenFilters,
  parseSort,
  searchFilters,
  toListingQuery,
} from './filters.ts';
export { toStructuredListing } from './structured-listing.ts';
