import { expect, test } from 'vitest';
import { addDays, countDaysInclusive } from './days.ts';

test('adds and counts days across the ends of months', () => {
  expect(addDays('2026-11-29', 3)).toBe('2026-12-02');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(countDaysInclusive('2026-10-30', '2026-11-02')).toBe(4);
  expect(countDaysInclusive('2026-11-02', '2026-11-02')).toBe(1);
});
