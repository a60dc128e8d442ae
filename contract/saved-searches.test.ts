import { expect, test } from 'vitest';
import { getSavedSearchPath } from './saved-searches.ts';

test('a saved search links to the search page if it has a text, otherwise to its category page', () => {
  expect(getSavedSearchPath({ q: 'desk & chair' })).toBe('/search?q=desk+%26+chair');
  expect(getSavedSearchPath({ q: 'desk', category: 'furniture', max_price: 50 })).toBe(
    '/search?q=desk&category=furniture&price=0-50',
  );
  expect(getSavedSearchPath({ condition: 'good', min_price: 10, max_price: 80 })).toBe(
    '/browse?price=10-80&condition=good',
  );
  expect(getSavedSearchPath({ category: 'furniture' })).toBe('/category/furniture');
  expect(getSavedSearchPath({ category: 'game-day', kind: 'tickets', verified: 'true' })).toBe(
    '/category/game-day?kind=tickets&verified=true',
  );
  expect(getSavedSearchPath({ category: 'rentals', available: 'true' })).toBe('/category/rentals');
  expect(getSavedSearchPath({ category: 'rentals' })).toBe('/category/rentals?available=any');
});
