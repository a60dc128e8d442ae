import { type Category, categories, categoryLabel, conditionLabels } from '#contract/categories.ts';
import type { ListingQuery, ListingSort } from '#contract/listing-queries.ts';

/** The names of the filters, which are also the URL parameters. */
export type FilterName =
  | 'kind'
  | 'category'
  | 'price'
  | 'condition'
  | 'size'
  | 'game_date'
  | 'verified'
  | 'available';

/** Filters and their chosen values; an omitted filter has its default. */
export type ChosenFilters = Partial<Record<FilterName, string>>;

export interface FilterChoice {
  label: string;
  /** Label of the empty choice. */
  all: string;
  /** Labels by value. */
  options: Record<string, string>;
}

/** The filters rendered as a select with several options (specification §2, Filter bar). */
export const choicesByFilter: Partial<Record<FilterName, FilterChoice>> = {
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
  condition: { label: 'Condition', all: 'Any', options: conditionLabels },
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

/** Returns the category filter, which only the search page offers. */
const categoryChoice = (mascot: string): FilterChoice => ({
  label: 'Category',
  all: 'All Categories',
  options: Object.fromEntries(categories.map((category) => [category, categoryLabel(category, mascot)])),
});

/** Returns those of the given filters that are rendered as a select, in the given order. */
export const listSelects = (
  names: readonly FilterName[],
  mascot: string,
): { name: FilterName; choice: FilterChoice }[] =>
  names.flatMap((name) => {
    const choice = name === 'category' ? categoryChoice(mascot) : choicesByFilter[name];
    return choice ? [{ name, choice }] : [];
  });

/** Returns the short label of a chosen filter. */
export const getChosenLabel = (name: FilterName, chosen: ChosenFilters, mascot: string): string => {
  if (name === 'verified') return 'Verified Sellers Only';
  if (name === 'available') return 'Also Unavailable';
  const [select] = listSelects([name], mascot);
  return select?.choice.options[chosen[name] ?? ''] ?? '';
};

const genericFilters: readonly FilterName[] = ['price', 'condition'];

/** The filters of each category page: those that can match some of its listings but not all. */
export const pageFilters: Record<Category, readonly FilterName[]> = {
  'game-day': ['kind', 'price', 'game_date', 'verified'],
  merchandise: ['price', 'size', 'verified'],
  rentals: ['price', 'available', 'verified'],
  furniture: ['price', 'verified'],
  textbooks: genericFilters,
  electronics: genericFilters,
  clothing: ['price', 'condition', 'size'],
  'study-items': genericFilters,
  kitchen: genericFilters,
  'trojan-merch': genericFilters,
  free: ['condition'],
};

export const searchFilters: readonly FilterName[] = ['category', 'price'];

const parseOfferedValue = (name: FilterName, values: string[]): string | undefined => {
  const [value] = values;
  // Without scripts the form always sends "any", plus "now" while the box is checked.
  if (name === 'available') return value === 'any' && !values.includes('now') ? 'any' : undefined;
  if (name === 'verified') return value === 'true' ? value : undefined;
  const options = name === 'category' ? categories : Object.keys(choicesByFilter[name]?.options ?? {});
  return options.find((option) => option === value);
};

/** Parses the chosen filters of a URL; ignores values that the page does not offer. */
export const parseChosenFilters = (params: URLSearchParams, names: readonly FilterName[]): ChosenFilters => {
  const chosen: ChosenFilters = {};
  for (const name of names) {
    const value = parseOfferedValue(name, params.getAll(name));
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
};

const offeredSorts: readonly ListingSort[] = ['price', 'condition', 'location'];

/** Parses the chosen sort order of a URL, if the page offers it. */
export const parseSort = (params: URLSearchParams): ListingSort | undefined =>
  offeredSorts.find((sort) => sort === params.get('sort'));

/** Returns the query string with its leading "?", or an empty string if there are no parameters. */
export const toQueryString = (chosen: ChosenFilters, keep: Record<string, string> = {}): string => {
  const given = Object.entries({ ...keep, ...chosen }).filter(([, value]) => value);
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : '';
};

/** Returns the API query for the chosen filters. Availability is left out, because every rental counts as available. */
export const toListingQuery = ({ price, available: _, ...same }: ChosenFilters): Partial<ListingQuery> => {
  const [min, max] = price?.split('-') ?? [];
  return {
    ...(same as Partial<ListingQuery>),
    ...(Number(min) > 0 ? { min_price: Number(min) } : {}),
    ...(max ? { max_price: Number(max) } : {}),
  };
};
