import type { Campus } from '#contract/campus.ts';
import { getCategoryLabel } from '#contract/categories.ts';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { formatAmount } from '#contract/prices.ts';
import { maxSearchNameLength } from '#contract/saved-searches.ts';
import {
  type FilterName,
  filtersByCategory,
  getChosenFilterLabel,
  searchPageFilters,
  toChosenFilters,
} from '#web/listings/public.ts';

/**
 * Returns the filters that the results page of a search offers. Searches with a text, or without a
 * category, open the search page; others open a category page.
 */
const listOfferedFilters = ({ q, category }: SavedSearchQuery): readonly FilterName[] =>
  q || !category ? searchPageFilters : filtersByCategory[category];

const describePrice = ({ min_price: min, max_price: max }: SavedSearchQuery, campus: Campus): string => {
  const format = (amount: number) => formatAmount(campus, amount);
  if (min && max) return `${format(min)}-${format(max)}`;
  if (max) return `under ${format(max)}`;
  return min ? `from ${format(min)}` : '';
};

export const describeFilters = (query: SavedSearchQuery, campus: Campus): string[] => {
  const { category: _, ...chosen } = toChosenFilters(query, listOfferedFilters(query));
  const filters = (Object.keys(chosen) as FilterName[]).map((name) =>
    getChosenFilterLabel(name, chosen, campus),
  );
  return query.category ? [getCategoryLabel(query.category, campus.mascot), ...filters] : filters;
};

/** Returns a name for a search, such as "desk under $50" or "Furniture, Verified Sellers Only". */
export const suggestSearchName = (query: SavedSearchQuery, campus: Campus): string => {
  const { min_price: _min, max_price: _max, ...others } = query;
  const filters = describeFilters(others, campus);
  const what = query.q || filters.shift() || 'Everything';
  const price = describePrice(query, campus);
  const rest = [price && ` ${price}`, ...filters.map((label) => `, ${label}`)].join('');
  const room = maxSearchNameLength - [...rest].length;
  const characters = [...what];
  return (characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : what) + rest;
};

/** Returns a key that is equal for queries that find the same listings. */
const toComparable = (query: SavedSearchQuery): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== '' && value !== 'false')
      .map(([name, value]) => [name, String(value)])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

export const isSameQuery = (a: SavedSearchQuery, b: SavedSearchQuery): boolean =>
  toComparable(a) === toComparable(b);
