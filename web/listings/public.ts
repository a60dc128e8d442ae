/** What the rest of the application may use of this feature, besides its components in routes. */
export { type CategoryCopy, findCategoryCopy, genericHeading } from './category-copy.ts';
export {
  chosenIn,
  type FilterName,
  filterQuery,
  pageFilters,
  searchFilters,
  sortIn,
} from './filters.ts';
export { structuredListing } from './structured-listing.ts';
