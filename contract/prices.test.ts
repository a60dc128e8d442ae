import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { formatAmountRange } from './price-fields.ts';
import { formatExactPrice, formatPrice } from './prices.ts';

const money = (locale: string, currency: string) => ({ locale, currency });

test.each([
  [0, 'Free'],
  [110, '$110'],
  [17.5, '$17.50'],
  [0.99, '$0.99'],
  [1200, '$1,200'],
  [100_000, '$100,000'],
])('formats a price of %d as %s', (price, text) => {
  expect(formatPrice(defaultCampus, price)).toBe(text);
});

test.each([
  [0, 'Free'],
  [110, '$110.00'],
  [17.5, '$17.50'],
  [1200, '$1,200.00'],
])('formats the exact price of %d as %s', (price, text) => {
  expect(formatExactPrice(defaultCampus, price)).toBe(text);
});

test.each([
  ['de-DE', 'EUR', 1200, '1.200 €', '1.200,00 €'],
  ['de-DE', 'EUR', 17.5, '17,50 €', '17,50 €'],
  ['fr-FR', 'EUR', 1200.5, '1 200,50 €', '1 200,50 €'],
  ['ja-JP', 'JPY', 1200, '¥1,200', '¥1,200'],
  ['en-KW', 'KWD', 12.345, 'KWD 12.345', 'KWD 12.345'],
  ['en-KW', 'KWD', 12, 'KWD 12', 'KWD 12.000'],
  ['de-DE', 'EUR', 0, 'Free', 'Free'],
])('formats a price in %s and %s: %d as %s and %s', (locale, currency, price, text, exact) => {
  const plain = (formatted: string) => formatted.replace(/[\u00a0\u202f]/g, ' ');
  expect(plain(formatPrice(money(locale, currency), price))).toBe(text);
  expect(plain(formatExactPrice(money(locale, currency), price))).toBe(exact);
});

test.each([
  ['en-US', 'USD', '$40–55'],
  ['de-DE', 'EUR', '40–55 €'],
  ['ja-JP', 'JPY', '¥40–55'],
])('formats a range of amounts in %s and %s as %s', (locale, currency, text) => {
  expect(formatAmountRange(money(locale, currency), 40, 55).replace(/\s/g, ' ')).toBe(text);
});
