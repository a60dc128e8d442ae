import { expect, test } from 'vitest';
import { categories } from '#contract/categories.ts';
import { listingQuerySchema } from '#contract/listings.ts';
import {
  choices,
  chosenIn,
  type FilterName,
  filterQuery,
  filterSearch,
  pageFilters,
  searchFilters,
} from './filters.ts';

const { 'game-day': gameDay, rentals } = pageFilters;
const read = (search: string, names = gameDay) => chosenIn(new URLSearchParams(search), names);

test('every choice of the filter bar is one that the server understands', () => {
  for (const [name, choice] of Object.entries(choices)) {
    for (const value of Object.keys(choice.options)) {
      const query = filterQuery({ [name]: value });
      const understood = listingQuerySchema.parse(query);
      expect(Object.keys(query).length, value).toBeGreaterThan(0);
      expect(understood).toMatchObject(query);
    }
  }
});

test('a category offers only filters that can match something there', () => {
  const offering = (name: FilterName) =>
    categories.filter((category) => pageFilters[category].includes(name));
  expect(offering('kind')).toEqual(['game-day']);
  expect(offering('game_date')).toEqual(['game-day']);
  expect(offering('size')).toEqual(['merchandise', 'clothing']);
  expect(offering('price')).toEqual(categories.filter((category) => category !== 'free'));
  for (const category of ['textbooks', 'electronics', 'clothing', 'study-items', 'kitchen'] as const) {
    expect(pageFilters[category], category).toEqual(expect.arrayContaining(['price', 'condition']));
  }
});

test.each([
  ['0-50', { max_price: 50 }],
  ['50-100', { min_price: 50, max_price: 100 }],
  ['100-', { min_price: 100 }],
])('the price range %s asks for %o', (price, query) => {
  expect(filterQuery({ price })).toEqual(query);
});

test('an address chooses what its page offers and nothing else', () => {
  expect(read('kind=tickets&price=0-50&game_date=this-week&verified=true')).toEqual({
    kind: 'tickets',
    price: '0-50',
    game_date: 'this-week',
    verified: 'true',
  });
  expect(read('kind=boats&price=&size=xl&verified=false&game_date=constructor')).toEqual({});
  expect(read('category=furniture&kind=tickets', searchFilters)).toEqual({ category: 'furniture' });
});

test('rentals are shown while available until the box is unchecked, with and without script', () => {
  expect(read('', rentals)).toEqual({});
  expect(read('available=any', rentals)).toEqual({ available: 'any' });
  expect(read('available=any&available=now', rentals)).toEqual({});
  expect(filterQuery({ available: 'any' })).toEqual({});
});

test('an address says no more than what is chosen and what is kept', () => {
  expect(filterSearch({})).toBe('');
  expect(filterSearch({ price: '100-' }, { q: 'red lamp' })).toBe('?q=red+lamp&price=100-');
});
