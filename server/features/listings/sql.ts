import { categoryColumns } from '#contract/category-fields.ts';
import type { ListingRow } from './listing-row.ts';

export { type CardRow, cardColumns, presentListingCard, toCardFromClause } from './cards.ts';
export {
  listSearchableTexts,
  toCategoryByLabelSql,
  toLocationPattern,
  toStoredFilterCondition,
  toStoredWordsCondition,
} from './filter.ts';
export { listNewestSearchableTexts } from './match-estimates.ts';
export { toContainsCondition, toRarelyContainsCondition, toSearchedText } from './text-search.ts';

/** The columns of a listing whose changes are reported to buyers with an open deal. */
export const listingTermColumns = [
  'title',
  'price',
  'rental_period',
  'condition',
  'location',
  'game_date',
  ...categoryColumns,
  'description',
  'photos',
] as const satisfies (keyof ListingRow)[];

/** The fields of a listing whose changes are reported to buyers with an open deal. */
export type ListingTerms = Pick<ListingRow, (typeof listingTermColumns)[number]>;
