import { expect, test } from 'vitest';
import { categories } from '#contract/categories.ts';
import { listingQuerySchema } from '#contract/listing-queries.ts';
import {
  type FilterName,
  filterDefinitions,
  filtersByCategory,
  parseChosenFilters,
  searchPageFilters,
  toListingQuery,
  toQueryString,
} from './filters.ts';

const { 'game-day': gameDay, rentals } = filtersByCategory;
const parseSearch = (search: string, names = gameDay) =>
  parseChosenFilters(new URLSearchParams(search), names);

test('the server accepts every option of the filter bar', () => {
  for (const [name, choice] of Object.entries(filterDefinitions)) {
    for (const value of Object.keys(choice.options)) {
      const query = toListingQuery({ [name]: value }, []);
      const understood = listingQuerySchema.parse(query);
      expect(Object.keys(query).length, value).toBeGreaterThan(0);
      expect(understood).toMatchObject(query);
    }
  }
});

test('a category offers only filters that can match something there', () => {
  const offering = (name: FilterName) =>
    categories.filter((category) => filtersByCategory[category].includes(name));
  expect(offering('kind')).toEqual(['game-day']);
  expect(offering('game_date')).toEqual(['game-day']);
  expect(offering('size')).toEqual(['merchandise', 'clothing']);
  expect(offering('price')).toEqual(categories.filter((category) => category !== 'free'));
  for (const category of ['textbooks', 'electronics', 'clothing', 'study-items', 'kitchen'] as const) {
    expect(filtersByCategory[category], category).toEqual(expect.arrayContaining(['price', 'condition']));
  }
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
