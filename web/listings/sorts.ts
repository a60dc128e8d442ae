import type { Category } from '#contract/categories.ts';
import type { ListingSort } from '#contract/listing-queries.ts';

export const sortLabels: Record<ListingSort, string> = {
  relevance: 'Best Match',
  newest: 'Date Posted',
  'game-date': 'Game Date',
  price: 'Price: Low to High',
  'price-desc': 'Price: High to Low',
  condition: 'Condition',
  location: 'Location',
};

/** Sort orders that a page offers. The first one is the default. */
export type OfferedSorts = readonly [ListingSort, ...ListingSort[]];

export const browseSorts: OfferedSorts = ['newest', 'price', 'price-desc'];
export const searchSorts: OfferedSorts = ['relevance', ...browseSorts];
const genericCategorySorts: OfferedSorts = [...browseSorts, 'condition', 'location'];

export const sortsByCategory: Record<Category, OfferedSorts> = {
  'game-day': ['game-date', ...browseSorts],
  merchandise: browseSorts,
  rentals: browseSorts,
  furniture: browseSorts,
  textbooks: genericCategorySorts,
  electronics: genericCategorySorts,
  clothing: genericCategorySorts,
  'study-items': genericCategorySorts,
  kitchen: genericCategorySorts,
  'trojan-merch': genericCategorySorts,
  free: ['newest', 'condition', 'location'],
};

/** Parses the chosen sort order of a URL. Returns undefined for the default and for an order that the page does not offer. */
export const parseSortOrder = (
  params: URLSearchParams,
  [, ...others]: OfferedSorts,
): ListingSort | undefined => others.find((sort) => sort === params.get('sort'));
