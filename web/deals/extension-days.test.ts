import { expect, test } from 'vitest';
import { defaultCampus as campus } from '#contract/campus.ts';
import type { RentalRules } from '#contract/rental-rules.ts';
import type { RentalPeriod } from '#contract/rental-times.ts';
import { listExtensionDays } from './extension-days.ts';

// October 5, 2026, is a Monday, and 12:00 on the campus.
const now = new Date('2026-10-05T19:00:00.000Z');
const list = (
  rental: Partial<RentalPeriod>,
  { taken = [], rules = {}, at = now }: { taken?: RentalPeriod[]; rules?: RentalRules; at?: Date } = {},
) => {
  const period = { first_day: '2026-10-01', last_day: '2026-10-07', ...rental };
  const { days, problem } = listExtensionDays(period, { taken, rules, campus, now: at });
  return problem ?? [days[0], days.at(-1), days.length];
};

test('a rental can be extended to the day before the next rental', () => {
  const taken = [
    { first_day: '2026-11-20', last_day: '2026-11-22' },
    { first_day: '2026-10-01', last_day: '2026-10-07' },
    { first_day: '2026-10-12', last_day: '2026-10-14' },
  ];
  expect(list({}, { taken })).toEqual(['2026-10-08', '2026-10-11', 4]);
});

test('without a next rental, an extension is limited by the longest possible rental', () => {
  expect(list({})).toEqual(['2026-10-08', '2027-04-03', 178]);
});

test('an overdue rental cannot be extended to a time that has passed', () => {
  expect(list({ last_day: '2026-10-02' })).toContain('2026-10-05');
  expect(list({ last_day: '2026-10-02', return_time: '12:15' })).toContain('2026-10-05');
  expect(list({ last_day: '2026-10-02', return_time: '12:00' })).toContain('2026-10-06');
});

test('a rental cannot be extended if the next day is taken, even when it is overdue', () => {
  const sentence = 'Somebody else has the next days';
  expect(list({}, { taken: [{ first_day: '2026-10-08', last_day: '2026-10-09' }] })).toBe(sentence);
  const next = [{ first_day: '2026-10-04', last_day: '2026-10-04' }];
  expect(list({ last_day: '2026-10-02' }, { taken: next })).toBe(sentence);
});

test('a rental that ends on the last possible day cannot be extended, which is what the reason says', () => {
  const sentence = 'Rental days can be at most 180 days ahead';
  expect(list({ last_day: '2027-04-03' })).toBe(sentence);
  const taken = [{ first_day: '2027-04-04', last_day: '2027-04-05' }];
  expect(list({ last_day: '2027-04-03' }, { taken })).toBe('Somebody else has the next days');
});

test('a rental with a time of return can end on the day on which the next one begins', () => {
  const taken = [{ first_day: '2026-10-10', last_day: '2026-10-11', pickup_time: '12:00' }];
  expect(list({ return_time: '12:00' }, { taken })).toEqual(['2026-10-08', '2026-10-10', 3]);
  expect(list({ return_time: '12:15' }, { taken })).toEqual(['2026-10-08', '2026-10-09', 2]);
});

test('only the days that the owner’s rules allow are offered, and without any the rule is named', () => {
  expect(list({}, { rules: { handout_days: '15' } })).toEqual(['2026-10-09', '2027-04-02', 51]);
  expect(list({}, { rules: { min_rental_days: 30, max_rental_days: 9 } })).toEqual([
    '2026-10-08',
    '2026-10-09',
    2,
  ]);
  expect(list({}, { rules: { max_rental_days: 7 } })).toBe('Rented out for at most 7 days');
  const taken = [{ first_day: '2026-10-09', last_day: '2026-10-10' }];
  expect(list({}, { taken, rules: { handout_days: '15' } })).toBe('Pick-up and return only on Mon, Fri');
});

test('the day is left out on which the clocks skip the time of return', () => {
  const at = new Date('2027-03-08T20:00:00.000Z');
  const taken = [{ first_day: '2027-03-16', last_day: '2027-03-16' }];
  const rental = { first_day: '2027-03-08', last_day: '2027-03-11', return_time: '02:30' };
  expect(list(rental, { taken, at })).toEqual(['2027-03-12', '2027-03-15', 3]);
});
