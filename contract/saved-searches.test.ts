import { expect, test } from 'vitest';
import { getSavedSearchPath } from './saved-searches.ts';

test('results are shown on the search page for a text, otherwise on the page of the category', () => {
  expect(getSavedSearchPath({ q: 'desk & chair' })).toBe('/search?q=desk+%26+chair');
  expect(getSavedSearchPath({ q: 'desk', category: 'furniture', max_price: 50 })).toBe(
    '/search?q=desk&category=furniture&price=0-50',
  );
  expect(getSavedSearchPath({ category: 'furniture' })).toBe('/category/furniture');
  expect(getSavedSearchPath({ category: 'game-day', kind: 'tickets', verified: 'true' })).toBe(
    '/category/game-day?kind=tickets&verified=true',
  );
  expect(getSavedSearchPath({ category: 'rentals', available: 'true' })).toBe('/category/rentals');
  expect(getSavedSearchPath({ category: 'rentals' })).toBe('/category/rentals?available=any');
});
