import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { resolveGameDateRange } from './game-days.ts';

const toNoonInstant = (day: string) => new Date(`${day}T20:00:00Z`);

test.each([
  ['en-US', 'this-week', '2026-03-04', '2026-03-01', '2026-03-07'],
  ['en-US', 'this-week', '2026-03-07', '2026-03-01', '2026-03-07'],
  ['en-US', 'this-week', '2026-03-08', '2026-03-08', '2026-03-14'],
  ['en-US', 'next-week', '2026-12-30', '2027-01-03', '2027-01-09'],
  ['en-GB', 'this-week', '2026-03-08', '2026-03-02', '2026-03-08'],
  ['en-GB', 'this-week', '2026-03-09', '2026-03-09', '2026-03-15'],
  ['en-GB', 'next-week', '2026-12-30', '2027-01-04', '2027-01-10'],
  ['en-US', 'this-month', '2028-02-10', '2028-02-01', '2028-02-29'],
] as const)('in %s %s on %s is from %s to %s', (locale, range, today, from, to) => {
  expect(resolveGameDateRange(range, { ...defaultCampus, locale }, toNoonInstant(today))).toEqual({
    from,
    to,
  });
});

test('a week begins at midnight in the time zone of the campus', () => {
  const saturdayNight = new Date('2026-03-08T07:59:00Z');
  const sundayMorning = new Date('2026-03-08T08:00:00Z');
  expect(resolveGameDateRange('this-week', defaultCampus, saturdayNight).from).toBe('2026-03-01');
  expect(resolveGameDateRange('this-week', defaultCampus, sundayMorning).from).toBe('2026-03-08');
});
