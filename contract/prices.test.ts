import { expect, test } from 'vitest';
import { formatExactPrice, formatPrice } from './prices.ts';

test.each([
  [0, 'Free'],
  [110, '$110'],
  [17.5, '$17.50'],
  [0.99, '$0.99'],
  [1200, '$1,200'],
  [100_000, '$100,000'],
])('formats a price of %d as %s', (price, text) => {
  expect(formatPrice(price)).toBe(text);
});

test.each([
  [0, 'Free'],
  [110, '$110.00'],
  [17.5, '$17.50'],
  [1200, '$1,200.00'],
])('formats the exact price of %d as %s', (price, text) => {
  expect(formatExactPrice(price)).toBe(text);
});
