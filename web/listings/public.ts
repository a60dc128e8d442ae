/**
 * The public API of the listings feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */

export { describeCategoryFields } from './category-facts.ts';
export {
  type CategoryTexts,
  findCategoryTexts,
  formatItemCount,
  toGenericHeading,
} from './category-texts.ts';
export {
  type FilterName,
  filtersByCategory,
  getChosenFilterLabel,
  parseChosenFilters,
  searchPageFilters,
  toChosenFilters,
  toListingQuery,
} from './filters.ts';
export type { NextListing } from './just-published.ts';
export { toListingStructuredData } from './listing-structured-data.ts';
export { AvailabilityQuestions } from './mine/availability-questions.tsx';
export { getMarkSoldLabel } from './mine/mark-sold-label.ts';
export { SellListingDialog } from './mine/sell-listing-dialog.tsx';
export { mergeVisitorSaves } from './saved/account-saves.ts';
export { browseSorts, parseSortOrder, searchSorts, sortsByCategory } from './sorts.ts';
export { redirectTypedAmounts } from './typed-amounts.ts';
