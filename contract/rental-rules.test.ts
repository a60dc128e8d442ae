import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { findRentalRuleProblem, type RentalRules } from './rental-rules.ts';

// October 5, 2026, is a Monday.
test.each<[RentalRules, string, string, [string, string] | undefined]>([
  [{}, '2026-10-05', '2026-10-05', undefined],
  [{ min_rental_days: 2 }, '2026-10-05', '2026-10-05', ['last_day', 'Rented out for at least 2 days']],
  [{ min_rental_days: 2, max_rental_days: 3 }, '2026-10-05', '2026-10-07', undefined],
  [{ max_rental_days: 1 }, '2026-10-05', '2026-10-06', ['last_day', 'Rented out for at most 1 day']],
  [{ handout_days: '15' }, '2026-10-05', '2026-10-09', undefined],
  [{ handout_days: '15' }, '2026-10-05', '2026-10-08', ['last_day', 'Pick-up and return only on Mon, Fri']],
  [{ handout_days: '17' }, '2026-10-06', '2026-10-11', ['first_day', 'Pick-up and return only on Sun, Mon']],
])('under the rules %o, from %s to %s: %s', (rules, first_day, last_day, expected) => {
  const problem = findRentalRuleProblem(rules, { first_day, last_day }, defaultCampus);
  expect(problem && [problem.field, problem.message]).toEqual(expected);
});
