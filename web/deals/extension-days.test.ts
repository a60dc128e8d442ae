import { expect, test } from 'vitest';
import { findExtensionDayRange } from './extension-days.ts';

const today = '2026-10-05';

test('a rental can be extended to the day before the next rental', () => {
  const taken = [
    { first: '2026-11-20', last: '2026-11-22' },
    { first: '2026-10-01', last: '2026-10-07' },
    { first: '2026-10-12', last: '2026-10-14' },
  ];
  expect(findExtensionDayRange('2026-10-07', taken, today)).toEqual({ from: '2026-10-08', to: '2026-10-11' });
});

test('without a next rental, an extension is limited by the longest possible rental', () => {
  expect(findExtensionDayRange('2026-10-07', [], today)).toEqual({ from: '2026-10-08', to: '2027-04-03' });
});

test('an overdue rental cannot be extended to a day before today', () => {
  expect(findExtensionDayRange('2026-10-02', [], today)?.from).toBe('2026-10-05');
});

test('a rental cannot be extended if the next day is taken, even when it is overdue', () => {
  const next = [{ first: '2026-10-08', last: '2026-10-09' }];
  expect(findExtensionDayRange('2026-10-07', next, today)).toBeUndefined();
  expect(
    findExtensionDayRange('2026-10-02', [{ first: '2026-10-04', last: '2026-10-04' }], today),
  ).toBeUndefined();
});
