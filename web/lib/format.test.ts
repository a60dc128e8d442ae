import { expect, test } from 'vitest';
import { countText, dateOf, longDay, priceText, shortDay } from './format.ts';

test('formats a game day as specified, in every time zone', () => {
  expect(longDay('2026-01-05')).toBe('Monday, January 5, 2026');
  expect(shortDay('2026-01-05')).toBe('Mon, Jan 5, 2026');
});

test('formats an instant as the day on campus', () => {
  expect(dateOf('2026-01-05T06:00:00.000Z', { timezone: 'America/Los_Angeles' })).toBe('January 4, 2026');
  expect(dateOf('2026-01-05T06:00:00.000Z', { timezone: 'Europe/Berlin' })).toBe('January 5, 2026');
});

test('formats a count exactly up to a limit and with a plus sign beyond it', () => {
  expect(countText(7)).toBe('7');
  expect(countText(10_000, 10_000)).toBe('10,000');
  expect(countText(10_001, 10_000)).toBe('10,000+');
});

test.each([
  [0, 'Free'],
  [110, '$110'],
  [17.5, '$17.50'],
  [0.99, '$0.99'],
  [1200, '$1,200'],
  [100_000, '$100,000'],
])('formats a price of %d as %s', (price, text) => {
  expect(priceText(price)).toBe(text);
});
