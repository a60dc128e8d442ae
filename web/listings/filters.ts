import type { Campus, CampusMoney } from '#contract/campus.ts';
import { type Category, categories, conditionLabels, getCategoryLabel } from '#contract/categories.ts';
import {
  type CategoryFilterColumn,
  categoryFilterFields,
  hasCategoryField,
  listChoices,
} from '#contract/category-fields.ts';
import type { ListingQuery } from '#contract/listing-queries.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { formatAmount } from '#contract/prices.ts';

/** The names of the filters. They are also the names of the URL parameters. */
export type FilterName =
  | 'kind'
  | 'category'
  | 'price'
  | 'condition'
  | 'game_date'
  | 'verified'
  | 'available'
  | CategoryFilterColumn;

/** The chosen filters with their values. A filter that is not chosen is omitted. */
export type ChosenFilters = Partial<Record<FilterName, string>>;

export interface FilterDefinition {
  label: string;
  /** Label of the empty option, which turns the filter off. */
  all: string;
  options: Readonly<Record<string, string>>;
}

/** The label and the options of each filter with fixed options that is rendered as a select (specification §2, Filter bar). */
const filterDefinitions: Partial<Record<FilterName, FilterDefinition>> = {
  kind: {
    label: 'Category',
    all: 'All Categories',
    options: { tickets: 'Tickets', 'tailgate-gear': 'Tailgate Gear', 'parking-passes': 'Parking Passes' },
  },
  condition: { label: 'Condition', all: 'Any', options: conditionLabels },
  ...Object.fromEntries(
    categoryFilterFields.flatMap((field) =>
      field.input === 'choice'
        ? [[field.column, { label: field.label, all: 'All', options: field.options }]]
        : [],
    ),
  ),
  game_date: {
    label: 'Game Date',
    all: 'All',
    options: { 'this-week': 'This Week', 'next-week': 'Next Week', 'this-month': 'This Month' },
  },
};

/** Returns the category filter, which only the search page offers. */
const createCategoryFilter = (mascot: string): FilterDefinition => ({
  label: 'Category',
  all: 'All Categories',
  options: Object.fromEntries(categories.map((category) => [category, getCategoryLabel(category, mascot)])),
});

/** Returns the price filter with the bands of the specification, in the currency of the campus. */
const createPriceFilter = (campus: Campus): FilterDefinition => {
  const [low, high] = [50 * campus.priceScale, 100 * campus.priceScale];
  const bands = [`0-${low}`, `${low}-${high}`, `${high}-`];
  return {
    label: 'Price Range',
    all: 'Any',
    options: Object.fromEntries(bands.map((band) => [band, formatPriceRange(campus, band)])),
  };
};

/** Returns the label and the options of a filter that is rendered as a select. */
const getFilterDefinition = (
  name: FilterName,
  campus: Campus,
  chosen: ChosenFilters,
): FilterDefinition | undefined => {
  if (name === 'category') return createCategoryFilter(campus.mascot);
  if (name === 'price') return createPriceFilter(campus);
  const definition = filterDefinitions[name];
  const field = categoryFilterFields.find(({ column }) => column === name);
  return definition && field?.input === 'choice'
    ? { ...definition, options: listChoices(field, campus, chosen[name]) }
    : definition;
};

/** Returns those of the given filters that are rendered as a select, in the given order. */
export const listSelectFilters = (
  names: readonly FilterName[],
  campus: Campus,
  chosen: ChosenFilters,
): { name: FilterName; choice: FilterDefinition }[] =>
  names.flatMap((name) => {
    const choice = getFilterDefinition(name, campus, chosen);
    return choice ? [{ name, choice }] : [];
  });

/** The labels of the filters whose value is typed. */
export const typedFilterLabels = Object.fromEntries(
  categoryFilterFields.filter(({ input }) => input !== 'choice').map(({ column, label }) => [column, label]),
) as Partial<Record<FilterName, string>>;

export const getChosenFilterLabel = (name: FilterName, chosen: ChosenFilters, campus: Campus): string => {
  if (name === 'verified') return 'Verified Sellers Only';
  if (name === 'available') return 'Also Unavailable';
  if (name === 'price') return formatPriceRange(campus, chosen.price ?? '');
  const typed = typedFilterLabels[name];
  if (typed) return `${typed} ${chosen[name] ?? ''}`;
  const [select] = listSelectFilters([name], campus, chosen);
  return select?.choice.options[chosen[name] ?? ''] ?? '';
};

const priceRangePattern = /^(\d{1,10}(?:\.\d{1,3})?)-(\d{1,10}(?:\.\d{1,3})?)?$/;

/** Returns the amounts of a price range as text for the fields beside the offered ranges: none if one of these is chosen. */
export const toTypedAmounts = (range: string | undefined, campus: Campus): { min: string; max: string } => {
  const [, min = '', max = ''] = priceRangePattern.exec(range ?? '') ?? [];
  if (!range || Object.hasOwn(createPriceFilter(campus).options, range)) return { min: '', max: '' };
  const format = (amount: string) =>
    Number(amount) > 0 ? formatPriceField(campus, Number(amount), false) : '';
  return { min: format(min), max: format(max) };
};

export const formatPriceRange = (money: CampusMoney, range: string): string => {
  const [, min, max] = priceRangePattern.exec(range) ?? [];
  const from = formatAmount(money, Number(min));
  // A sign of the currency behind the number belongs to the whole range: "50-100 €" and "100+ €".
  const endOfNumber = from.search(/\p{Nd}\P{Nd}*$/u) + 1;
  return max
    ? `${from.slice(0, endOfNumber)}-${formatAmount(money, Number(max))}`
    : `${from.slice(0, endOfNumber)}+${from.slice(endOfNumber)}`;
};

/** Returns whether the form was sent without JavaScript, with amounts beside the chosen range. */
export const hasTypedAmounts = (params: URLSearchParams): boolean =>
  Boolean(params.get('min_price')?.trim() || params.get('max_price')?.trim());

const parsePriceRange = (params: URLSearchParams): string | undefined => {
  const range = params.get('price') ?? '';
  return priceRangePattern.test(range) && range !== '0-' ? range : undefined;
};

const defaultCategoryFilters: readonly FilterName[] = ['price', 'condition'];

/** The filters of each category besides those by its fields. */
const commonFiltersByCategory: Record<Category, readonly FilterName[]> = {
  'game-day': ['kind', 'price', 'condition', 'game_date', 'verified'],
  merchandise: ['price', 'condition', 'verified'],
  rentals: ['price', 'condition', 'available', 'verified'],
  furniture: ['price', 'condition', 'verified'],
  textbooks: defaultCategoryFilters,
  electronics: defaultCategoryFilters,
  clothing: defaultCategoryFilters,
  'study-items': defaultCategoryFilters,
  kitchen: defaultCategoryFilters,
  'trojan-merch': defaultCategoryFilters,
  free: ['condition'],
};

const listFilters = (category: Category): FilterName[] => {
  const names = commonFiltersByCategory[category];
  const position = names.indexOf('condition') + 1;
  const fields = categoryFilterFields
    .filter((field) => hasCategoryField(category, field))
    .map(({ column }) => column);
  return [...names.slice(0, position), ...fields, ...names.slice(position)];
};

/**
 * The filters offered on each category page, without those that would match all or none of the category's
 * listings.
 */
export const filtersByCategory = Object.fromEntries(
  categories.map((category) => [category, listFilters(category)]),
) as unknown as Record<Category, readonly FilterName[]>;

export const searchPageFilters: readonly FilterName[] = ['category', 'price', 'condition'];

/** Maximum length of a typed value, in UTF-16 code units. */
const maxTypedLength = 60;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no value contains them
const controlCharacters = /[\u0000-\u001F\u007F]/;

/** Parses a typed value. The server brings ISBNs and courses into the form in which they are stored. */
export const parseTypedValue = (text: string): string | undefined => {
  const value = text.trim();
  return value && value.length <= maxTypedLength && !controlCharacters.test(value) ? value : undefined;
};

const parseFilterValue = (name: FilterName, params: URLSearchParams): string | undefined => {
  if (name === 'price') return parsePriceRange(params);
  const values = params.getAll(name);
  const [value] = values;
  // Without JavaScript, the form always sends `available=any`, and also `available=now` if the box
  // is checked.
  if (name === 'available') return value === 'any' && !values.includes('now') ? 'any' : undefined;
  if (name === 'verified') return value === 'true' ? value : undefined;
  if (typedFilterLabels[name]) return parseTypedValue(value ?? '');
  const options = name === 'category' ? categories : Object.keys(filterDefinitions[name]?.options ?? {});
  return options.find((option) => option === value);
};

/** Parses the chosen filters of a URL. Ignores values that the page does not offer. */
export const parseChosenFilters = (params: URLSearchParams, names: readonly FilterName[]): ChosenFilters => {
  const chosen: ChosenFilters = {};
  for (const name of names) {
    const value = parseFilterValue(name, params);
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
};

/** Removes filters from the parameters of a URL. */
export const removeFilters = (params: URLSearchParams, names: readonly FilterName[]): void => {
  for (const name of names.includes('price') ? [...names, 'min_price', 'max_price'] : names)
    params.delete(name);
};

/**
 * Returns the filters and other parameters as a query string with a leading "?", or an empty string if
 * there are none.
 */
export const toQueryString = (chosen: ChosenFilters, keep: Record<string, string> = {}): string => {
  const given = Object.entries({ ...keep, ...chosen }).filter(([, value]) => value);
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][])}` : '';
};

/**
 * Returns the API query for the chosen filters of a page. Where the page offers the filter
 * `available`, unavailable rentals are left out unless the person wants to see them too.
 */
export const toListingQuery = (
  { price, available, ...same }: ChosenFilters,
  offered: readonly FilterName[],
): Partial<ListingQuery> => {
  const [min, max] = price?.split('-') ?? [];
  return {
    ...(same as Partial<ListingQuery>),
    ...(offered.includes('available') && !available ? { available: 'true' } : {}),
    ...(Number(min) > 0 ? { min_price: Number(min) } : {}),
    ...(max ? { max_price: Number(max) } : {}),
  };
};

/**
 * Converts an API query to the chosen filters of the page that shows its results; the inverse of
 * `toListingQuery`. Omits filters that the page does not offer.
 */
export const toChosenFilters = (
  { min_price: min, max_price: max, available, ...same }: Partial<ListingQuery>,
  offered: readonly FilterName[],
): ChosenFilters => {
  const params = new URLSearchParams(
    Object.entries(same).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  if (min || max) params.set('price', `${min ?? 0}-${max ?? ''}`);
  if (available !== 'true') params.set('available', 'any');
  return parseChosenFilters(params, offered);
};
