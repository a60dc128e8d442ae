import { expect, test } from 'vitest';
import { findExtensionDayRange } from './extension-days.ts';

const today = '2026-10-05';

test('a rental can be extended to the day before the next rental', () => {
  const taken = [
    { first_day: '2026-11-20', last_day: '2026-11-22' },
    { first_day: '2026-10-01', last_day: '2026-10-07' },
    { first_day: '2026-10-12', last_day: '2026-10-14' },
  ];
  expect(findExtensionDayRange({ last_day: '2026-10-07' }, taken, today)).toEqual({
    from: '2026-10-08',
    to: '2026-10-11',
  });
});

test('without a next rental, an extension is limited by the longest possible rental', () => {
  expect(findExtensionDayRange({ last_day: '2026-10-07' }, [], today)).toEqual({
    from: '2026-10-08',
    to: '2027-04-03',
  });
});

test('an overdue rental cannot be extended to a day before today', () => {
  expect(findExtensionDayRange({ last_day: '2026-10-02' }, [], today)?.from).toBe('2026-10-05');
});

test('a rental cannot be extended if the next day is taken, even when it is overdue', () => {
  const next = [{ first_day: '2026-10-08', last_day: '2026-10-09' }];
  expect(findExtensionDayRange({ last_day: '2026-10-07' }, next, today)).toBeUndefined();
  expect(
    findExtensionDayRange(
      { last_day: '2026-10-02' },
      [{ first_day: '2026-10-04', last_day: '2026-10-04' }],
      today,
    ),
  ).toBeUndefined();
});

test('a rental with a time of return can end on the day on which the next one begins', () => {
  const next = [{ first_day: '2026-10-10', last_day: '2026-10-11', pickup_time: '12:00' }];
  const extend = (return_time: string) =>
    findExtensionDayRange({ last_day: '2026-10-07', return_time }, next, today)?.to;
  expect([extend('12:00'), extend('12:15')]).toEqual(['2026-10-10', '2026-10-09']);
});
