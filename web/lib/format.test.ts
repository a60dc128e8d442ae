import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import {
  formatAge,
  formatCampusDate,
  formatConfirmation,
  formatCount,
  formatDayRange,
  formatHour,
  formatLongDay,
  formatShortDay,
} from './format.ts';

test('formats a game day as specified, in every time zone', () => {
  expect(formatLongDay('2026-01-05', defaultCampus)).toBe('Monday, January 5, 2026');
  expect(formatShortDay('2026-01-05', defaultCampus)).toBe('Mon, Jan 5, 2026');
});

test('formats an instant as its date in the campus time zone', () => {
  expect(formatCampusDate('2026-01-05T06:00:00.000Z', defaultCampus)).toBe('January 4, 2026');
  expect(formatCampusDate('2026-01-05T06:00:00.000Z', { ...defaultCampus, timezone: 'Europe/Berlin' })).toBe(
    'January 5, 2026',
  );
});

test.each([
  ['en-US', 22, '10:00 PM'],
  ['en-US', 0, '12:00 AM'],
  ['de-DE', 22, '22:00'],
  ['ja-JP', 8, '08:00'],
])('formats a full hour by the clock of %s', (locale, hour, written) => {
  expect(formatHour(hour, { ...defaultCampus, locale }).replace('\u202F', ' ')).toBe(written);
});

test('formats a range of days without repeating the month', () => {
  expect(formatDayRange('2026-11-22', '2026-11-28', defaultCampus)).toBe('Nov 22 – 28');
  expect(formatDayRange('2026-11-29', '2026-12-05', defaultCampus)).toBe('Nov 29 – Dec 5');
});

test.each([
  ['2026-01-05T12:00:30.000Z', '1 min'],
  ['2026-01-05T11:59:59.000Z', '1 min'],
  ['2026-01-05T11:01:00.000Z', '59 min'],
  ['2026-01-05T10:00:00.000Z', '2 h'],
  ['2026-01-04T12:00:01.000Z', '23 h'],
  ['2026-01-02T12:00:00.000Z', '3 d'],
  ['2025-12-06T12:00:00.000Z', '1 mo'],
  ['2025-01-05T12:00:00.000Z', '1 y'],
])('the age of %s is %s', (since, age) => {
  expect(formatAge(since, new Date('2026-01-05T12:00:00.000Z'))).toBe(age);
});

test.each([
  ['2026-01-04T12:00:01.000Z', 'today'],
  ['2026-01-04T12:00:00.000Z', '1 day ago'],
  ['2026-01-02T11:00:00.000Z', '3 days ago'],
])('a listing that was tended at %s is confirmed %s', (at, when) => {
  expect(formatConfirmation(at, new Date('2026-01-05T12:00:00.000Z'))).toBe(`Confirmed available ${when}`);
});

test('formats a count up to a limit exactly, and a higher count as the limit with a plus sign', () => {
  expect(formatCount(7, defaultCampus)).toBe('7');
  expect(formatCount(10_000, defaultCampus, 10_000)).toBe('10,000');
  expect(formatCount(10_001, defaultCampus, 10_000)).toBe('10,000+');
});
