import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { categories } from '#contract/categories.ts';
import {
  categoryFields,
  categoryFilterFields,
  formatCategoryValue,
  hasCategoryField,
} from '#contract/category-fields.ts';
import { listingQuerySchema } from '#contract/listing-queries.ts';
import { createCategoryValue } from '#contract/testing.ts';
import {
  type FilterName,
  filtersByCategory,
  getChosenFilterLabel,
  hasTypedAmounts,
  listSelectFilters,
  parseChosenFilters,
  searchPageFilters,
  toListingQuery,
  toQueryString,
} from './filters.ts';
import { browseSorts, type OfferedSorts, parseSortOrder, searchSorts, sortsByCategory } from './sorts.ts';
import { readTypedAmounts } from './typed-amounts.ts';

const { 'game-day': gameDay, rentals } = filtersByCategory;
const parseSearch = (search: string, names = gameDay) => {
  const params = new URLSearchParams(search);
  return parseChosenFilters(
    hasTypedAmounts(params) ? readTypedAmounts(params, defaultCampus) : params,
    names,
  );
};

test('the server accepts every option of the filter bar', () => {
  for (const { name, choice } of listSelectFilters([...gameDay, 'size'], defaultCampus, {})) {
    for (const value of Object.keys(choice.options)) {
      const query = toListingQuery({ [name]: value }, []);
      const understood = listingQuerySchema.parse(query);
      expect(Object.keys(query).length, value).toBeGreaterThan(0);
      expect(understood).toMatchObject(query);
    }
  }
});

test.each([
  ['US', 'Shoe 9.5', 'Shoe EU 42'],
  ['DE', 'Shoe EU 42', 'Shoe 9.5'],
  ['JP', 'Shoe 26.5 cm', 'Shoe EU 42'],
  ['GB', 'Shoe UK 8.5', 'Shoe 9.5'],
  ['MX', 'Shoe 26.5 cm', 'Shoe EU 42'],
  ['KR', 'Shoe 265 mm', 'Shoe EU 42'],
  ['BR', 'Shoe BR 40', 'Shoe EU 42'],
  ['CN', 'Shoe EU 42', 'Shoe 265 mm'],
])('promise 113: a campus in %s has shoes of size %j', (country, size, other) => {
  const campus = { ...defaultCampus, country };
  const listSizes = (chosen = {}) =>
    Object.values(listSelectFilters(['size'], campus, chosen)[0]?.choice.options ?? {});
  expect(listSizes()).toContain(size);
  expect(listSizes()).not.toContain(other);
  // One that was chosen before the campus was set up for its country.
  const chosen = Object.entries(categoryFields.size.options).find(([, label]) => label === other)?.[0];
  expect(listSizes({ size: chosen })).toContain(other);
});

test('a category offers only filters that can match something there', () => {
  const offering = (name: FilterName) =>
    categories.filter((category) => filtersByCategory[category].includes(name));
  expect(offering('kind')).toEqual(['game-day']);
  expect(offering('game_date')).toEqual(['game-day']);
  expect(offering('size')).toEqual(['merchandise', 'clothing', 'trojan-merch']);
  expect(offering('price')).toEqual(categories.filter((category) => category !== 'free'));
  expect(offering('condition')).toEqual(categories);
});

test.each(categoryFilterFields)(
  'promise 122: the pages of its categories offer a filter by $column',
  (field) => {
    const value = String(createCategoryValue(field));
    expect(categories.filter((category) => filtersByCategory[category].includes(field.column))).toEqual(
      categories.filter((category) => hasCategoryField(category, field)),
    );
    expect(parseSearch(`${field.column}=${value}`, [field.column])).toEqual({ [field.column]: value });
    expect(getChosenFilterLabel(field.column, { [field.column]: value }, defaultCampus)).toContain(
      formatCategoryValue(field, value, defaultCampus),
    );
  },
);

test('a typed value that no field can have is ignored', () => {
  for (const text of ['', '  ', 'a\u0000', 'a'.repeat(61)])
    expect(parseChosenFilters(new URLSearchParams({ course: text }), ['course'])).toEqual({});
});

test.each([
  ['price=10-80', '10-80', '$10-$80'],
  ['price=0-12.50', '0-12.50', '$0-$12.50'],
  ['price=20-', '20-', '$20+'],
  ['price=&min_price=10&max_price=80', '10-80', '$10-$80'],
  ['price=0-50&min_price=1,200&max_price=', '1200-', '$1,200+'],
  ['min_price=&max_price=$40', '0-40', '$0-$40'],
  ['min_price=80&max_price=10', '10-80', '$10-$80'],
])('the price range of %s is %s, shown as %s', (search, price, label) => {
  expect(parseSearch(search)).toEqual({ price });
  expect(getChosenFilterLabel('price', { price }, defaultCampus)).toBe(label);
  expect(listingQuerySchema.parse(toListingQuery({ price }, ['price']))).toBeTruthy();
});

test.each([
  ['de-DE', 'EUR', '0-50 €', '1.200+ €'],
  ['ja-JP', 'JPY', '¥0-¥50', '¥1,200+'],
  ['fr-CH', 'CHF', '0-50 CHF', "1'200+ CHF"],
])(
  'promise 113: a price range in %s and %s has the sign of the currency once if it follows the number',
  (locale, currency, closed, open) => {
    const campus = { ...defaultCampus, locale, currency };
    const format = (price: string) =>
      getChosenFilterLabel('price', { price }, campus).replace(/[\u00a0\u202f]/g, ' ');
    expect([format('0-50'), format('1200-')]).toEqual([closed, open]);
  },
);

test.each([
  'price=cheap',
  'price=-',
  'price=0-',
  'price=-5-10',
  'price=1e3-',
  'min_price=x',
  'price=1.2345-5',
])('the price range of %s is ignored', (search) => expect(parseSearch(search)).toEqual({}));

test('a page reads only the sort orders that it offers, and its default is none', () => {
  const parse = (sort: string, sorts: OfferedSorts) => parseSortOrder(new URLSearchParams({ sort }), sorts);
  expect(parse('price-desc', browseSorts)).toBe('price-desc');
  expect(parse('newest', searchSorts)).toBe('newest');
  expect(parse('newest', browseSorts)).toBeUndefined();
  expect(parse('location', browseSorts)).toBeUndefined();
  expect(parse('location', sortsByCategory.textbooks)).toBe('location');
});

test.each([
  ['0-50', { max_price: 50 }],
  ['50-100', { min_price: 50, max_price: 100 }],
  ['100-', { min_price: 100 }],
])('the price range %s becomes the query %o', (price, query) => {
  expect(toListingQuery({ price }, ['price'])).toEqual(query);
});

test('only filters and options that the page offers are read from its query string', () => {
  expect(parseSearch('kind=tickets&price=0-50&game_date=this-week&verified=true')).toEqual({
    kind: 'tickets',
    price: '0-50',
    game_date: 'this-week',
    verified: 'true',
  });
  expect(parseSearch('kind=boats&price=&size=xl&verified=false&game_date=constructor')).toEqual({});
  expect(parseSearch('category=furniture&kind=tickets', searchPageFilters)).toEqual({
    category: 'furniture',
  });
});

test('only available rentals are listed unless that filter is unchecked, with and without JavaScript', () => {
  expect(parseSearch('', rentals)).toEqual({});
  expect(parseSearch('available=any', rentals)).toEqual({ available: 'any' });
  expect(parseSearch('available=any&available=now', rentals)).toEqual({});
  expect(toListingQuery({ available: 'any' }, ['available'])).toEqual({});
  expect(toListingQuery({}, ['available'])).toEqual({ available: 'true' });
  expect(toListingQuery({}, ['price'])).toEqual({});
});

test('the query string contains only chosen filters and the parameters to keep', () => {
  expect(toQueryString({})).toBe('');
  expect(toQueryString({ price: '100-' }, { q: 'red lamp' })).toBe('?q=red+lamp&price=100-');
});
