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

test('every choice of the filter bar is one that the server understands', () => {
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
])('the price range %s asks for %o', (price, query) => {
  expect(toListingQuery({ price }, ['price'])).toEqual(query);
});

test('an address chooses what its page offers and nothing else', () => {
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

test('rentals are shown while available until the box is unchecked, with and without script', () => {
  expect(parseSearch('', rentals)).toEqual({});
  expect(parseSearch('available=any', rentals)).toEqual({ available: 'any' });
  expect(parseSearch('available=any&available=now', rentals)).toEqual({});
  expect(toListingQuery({ available: 'any' }, ['available'])).toEqual({});
  expect(toListingQuery({}, ['available'])).toEqual({ available: 'true' });
  expect(toListingQuery({}, ['price'])).toEqual({});
});

test('an address says no more than what is chosen and what is kept', () => {
  expect(toQueryString({})).toBe('');
  expect(toQueryString({ price: '100-' }, { q: 'red lamp' })).toBe('?q=red+lamp&price=100-');
});
