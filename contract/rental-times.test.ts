import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import {
  countRentalDays,
  doRentalsOverlap,
  formatRentalEnd,
  formatRentalPeriod,
  isRentalInOrder,
  isRentalOver,
  type RentalPeriod,
  toCampusMinute,
} from './rental-times.ts';

const rent = (
  first_day: string,
  last_day: string,
  pickup_time?: string,
  return_time?: string,
): RentalPeriod => ({
  first_day,
  last_day,
  pickup_time,
  return_time,
});

test.each([
  [rent('2026-10-01', '2026-10-05'), rent('2026-10-06', '2026-10-07'), false],
  [rent('2026-10-01', '2026-10-05'), rent('2026-10-05', '2026-10-07'), true],
  [rent('2026-10-01', '2026-10-05', undefined, '12:00'), rent('2026-10-05', '2026-10-07', '12:00'), false],
  [rent('2026-10-01', '2026-10-05', undefined, '12:15'), rent('2026-10-05', '2026-10-07', '12:00'), true],
  [rent('2026-10-01', '2026-10-05', undefined, '12:00'), rent('2026-10-05', '2026-10-05'), true],
  [
    rent('2026-10-05', '2026-10-05', '09:00', '10:00'),
    rent('2026-10-05', '2026-10-05', '10:00', '11:00'),
    false,
  ],
])('%o and %o: overlap is %s', (one, other, expected) => {
  expect([doRentalsOverlap(one, other), doRentalsOverlap(other, one)]).toEqual([expected, expected]);
});

test.each([
  [rent('2026-10-01', '2026-10-01'), 1],
  [rent('2028-02-28', '2028-03-01'), 3],
  [rent('2026-10-01', '2026-10-02', '12:00', '12:00'), 1],
  [rent('2026-10-01', '2026-10-02', '12:00', '12:15'), 2],
  [rent('2026-10-01', '2026-10-04', '12:00'), 4],
  [rent('2026-10-01', '2026-10-01', '09:00', '10:00'), 1],
])('%o lasts %d days', (period, days) => {
  expect(countRentalDays(period)).toBe(days);
});

test('a rental ends at its time, or with its last day', () => {
  expect(isRentalInOrder(rent('2026-10-05', '2026-10-05', '10:00', '10:00'))).toBe(false);
  expect(isRentalOver(rent('2026-10-01', '2026-10-05'), '2026-10-05T23:59')).toBe(false);
  expect(isRentalOver(rent('2026-10-01', '2026-10-05'), '2026-10-06T00:00')).toBe(true);
  expect(isRentalOver(rent('2026-10-01', '2026-10-05', undefined, '12:00'), '2026-10-05T12:00')).toBe(true);
  expect(isRentalOver({ last_day: null }, '2026-10-05T12:00')).toBe(false);
});

test('minutes are those of the campus, also in the hour that occurs twice', () => {
  const minutes = ['2026-11-01T08:30:00Z', '2026-11-01T09:30:00Z', '2026-03-08T10:00:00Z'].map((instant) =>
    toCampusMinute(defaultCampus, new Date(instant)),
  );
  expect(minutes).toEqual(['2026-11-01T01:30', '2026-11-01T01:30', '2026-03-08T03:00']);
});

test('names times only where there are some', () => {
  const format = (period: RentalPeriod) =>
    formatRentalPeriod(period, defaultCampus).replaceAll('\u202F', ' ');
  expect(format(rent('2026-10-01', '2026-10-01'))).toBe('Oct 1');
  expect(format(rent('2026-10-01', '2026-10-05'))).toBe('Oct 1 to Oct 5');
  expect(format(rent('2026-10-01', '2026-10-05', undefined, '12:00'))).toBe('Oct 1 to Oct 5, 12:00 PM');
  expect(format(rent('2026-10-01', '2026-10-01', '09:00', '17:30'))).toBe('Oct 1, 9:00 AM to Oct 1, 5:30 PM');
  expect(formatRentalEnd({ last_day: null }, defaultCampus)).toBe('');
});
