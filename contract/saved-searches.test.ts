import { expect, test } from 'vitest';
import { getResultPath } from './saved-searches.ts';

test('results are shown on the search page for a text, otherwise on the page of the category', () => {
  expect(getResultPath({ q: 'desk & chair' })).toBe('/search?q=desk+%26+chair');
  expect(getResultPath({ q: 'desk', category: 'furniture', max_price: 50 })).toBe(
    '/search?q=desk&category=furniture&price=0-50',
  );
  expect(getResultPath({ category: 'furniture' })).toBe('/category/furniture');
  expect(getResultPath({ category: 'game-day', kind: 'tickets', verified: 'true' })).toBe(
    '/category/game-day?kind=tickets&verified=true',
  );
  expect(getResultPath({ category: 'rentals', available: 'true' })).toBe('/category/rentals');
  expect(getResultPath({ category: 'rentals' })).toBe('/category/rentals?available=any');
});
