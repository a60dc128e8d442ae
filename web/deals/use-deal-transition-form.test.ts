import { expect, test } from 'vitest';
import { parsePrice } from './use-deal-transition-form.ts';

test.each([
  ['25', 25],
  [' $25.50 ', 25.5],
  ['', null],
  ['25,50', Number.NaN],
  ['1,250', Number.NaN],
  ['1e3', Number.NaN],
  ['twenty', Number.NaN],
])('reads the price %j as %s', (text, price) => {
  expect(parsePrice(text)).toBe(price);
});
