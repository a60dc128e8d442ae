import { type Category, categories, categoryLabel } from '#contract/categories.ts';
import type { ListingQuery, ListingSort } from '#contract/listings.ts';

/** What a list can be narrowed by; these are the names in the address of the page, too. */
export type FilterName = 'kind' | 'category' | 'price' | 'size' | 'game_date' | 'verified' | 'available';

/** Filters and their chosen values. Whatever is left out is as the page comes by itself. */
export type Chosen = Partial<Record<FilterName, string>>;

export interface Choice {
  label: string;
  /** What the empty choice is called. */
  all: string;
  /** Value to label. */
  options: Record<string, string>;
}

/** The filters with several choices (§2, Filter bar). */
export const choices: Partial<Record<FilterName, Choice>> = {
  kind: {
    label: 'Category',
    all: 'All Categories',
    options: { tickets: 'Tickets', 'tailgate-gear': 'Tailgate Gear', 'parking-passes': 'Parking Passes' },
  },
  price: {
    label: 'Price Range',
    all: 'Any',
    options: { '0-50': '$0-$50', '50-100': '$50-$100', '100-': '$100+' },
  },
  size: {
    label: 'Size',
    all: 'All',
    options: { small: 'Small', medium: 'Medium', large: 'Large', xl: 'XL' },
  },
  game_date: {
    label: 'Game Date',
    all: 'All',
    options: { 'this-week': 'This Week', 'next-week': 'Next Week', 'this-month': 'This Month' },
  },
};

/** Search looks through all categories. */
export const categoryChoice = (mascot: string): Choice => ({
  label: 'Category',
  all: 'All Categories',
  options: Object.fromEntries(categories.map((category) => [category, categoryLabel(category, mascot)])),
});

/** The filters of each dedicated category page. */
export const pageFilters: Partial<Record<Category, readonly FilterName[]>> = {
  'game-day': ['kind', 'price', 'game_date', 'verified'],
  merchandise: ['kind', 'price', 'size', 'verified'],
  rentals: ['kind', 'price', 'available', 'verified'],
  furniture: ['kind', 'price', 'verified'],
};

export const searchFilters: readonly FilterName[] = ['category', 'price'];

const offered = (name: FilterName, values: string[]): string | undefined => {
  const [value] = values;
  // Without script the form says "any" in any case, and "now" beside it while the box is checked.
  if (name === 'available') return value === 'any' && !values.includes('now') ? 'any' : undefined;
  if (name === 'verified') return value === 'true' ? value : undefined;
  const options = name === 'category' ? categories : Object.keys(choices[name]?.options ?? {});
  return options.find((option) => option === value);
};

/** What an address chooses; what a page does not offer is passed over. */
export const chosenIn = (params: URLSearchParams, names: readonly FilterName[]): Chosen => {
  const chosen: Chosen = {};
  for (const name of names) {
    const value = offered(name, params.getAll(name));
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
};

const offeredSorts: readonly ListingSort[] = ['price', 'condition', 'location'];

/** The order an address chooses, where a category page offers it. */
export const sortIn = (params: URLSearchParams): ListingSort | undefined =>
  offeredSorts.find((sort) => sort === params.get('sort'));

/** The query part of an address, with its question mark; empty when nothing is chosen and nothing kept. */
export const filterSearch = (chosen: Chosen, keep: Record<string, string> = {}): string => {
  const given = Object.entries({ ...keep, ...chosen }).filter(([, value]) => value);
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : '';
};

/** How the server is asked for what is chosen. Every rental counts as available, so that asks for nothing. */
export const filterQuery = ({ price, available: _, ...same }: Chosen): Partial<ListingQuery> => {
  const [min, max] = price?.split('-') ?? [];
  return {
    ...(same as Partial<ListingQuery>),
    ...(Number(min) > 0 ? { min_price: Number(min) } : {}),
    ...(max ? { max_price: Number(max) } : {}),
  };
};
