import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatTakenDays } from './taken-days.ts';

const today = '2026-10-03';
const period = (first: string, last: string) => ({
  first_day: `2026-10-${first}`,
  last_day: `2026-10-${last}`,
});

test.each([
  [[], null, ''],
  [[period('01', '02')], null, ''],
  [
    [period('01', '05'), period('09', '12'), period('20', '20')],
    null,
    'until Oct 5, Oct 9 to Oct 12, Oct 20',
  ],
  [[period('09', '12')], '2026-10-04', 'until Oct 4, Oct 9 to Oct 12'],
  [[], '2026-10-02', ''],
  [
    Array.from({ length: 8 }, () => period('09', '09')),
    null,
    `${Array(6).fill('Oct 9').join(', ')}, and 2 more`,
  ],
])('formats the taken days %j of a listing rented until %s', (taken_days, rented_until, text) =>
  expect(formatTakenDays({ taken_days, rented_until }, today, defaultCampus)).toBe(
    text.replace(/(Oct) /g, '$1\u00a0'),
  ),
);

test('times are part of the text, which then has semicolons', () => {
  const taken = [
    { first_day: '2026-10-05', last_day: '2026-10-06', pickup_time: '14:00', return_time: '12:00' },
    { first_day: '2026-10-06', last_day: '2026-10-07', pickup_time: '12:00' },
  ];
  const text = formatTakenDays({ taken_days: taken, rented_until: null }, '2026-10-05', defaultCampus);
  expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(
    'Oct 5, 2:00 PM to Oct 6, 12:00 PM; Oct 6, 12:00 PM to Oct 7',
  );
});
