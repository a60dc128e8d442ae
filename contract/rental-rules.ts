import type { CampusLocale } from './campus.ts';
import { countRentalDays, type RentalPeriod } from './rental-times.ts';
import { formatWeekdays, getWeekday } from './weekdays.ts';

/** What the owner of an item for rent decides about its rentals. Without a value, everything is possible. */
export interface RentalRules {
  min_rental_days?: number | null | undefined;
  max_rental_days?: number | null | undefined;
  /** The weekdays of pick-up and return as digits, from 1 for Monday to 7, as in '135'. */
  handout_days?: string | null | undefined;
}

/** Returns whether the owner hands the item out, and takes it back, on this day (YYYY-MM-DD). */
export const isHandoutDay = ({ handout_days: days }: RentalRules, day: string): boolean =>
  !days || days.includes(String(getWeekday(day)));

const formatDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

/** Returns why the owner does not rent the item out like this, with the field to correct, or undefined when it is possible. */
export const findRentalRuleProblem = (
  rules: RentalRules,
  period: RentalPeriod,
  campus: CampusLocale,
): { field: 'first_day' | 'last_day'; message: string } | undefined => {
  const { min_rental_days: min, max_rental_days: max, handout_days: handoutDays } = rules;
  const wrongDay = (['first_day', 'last_day'] as const).find((field) => !isHandoutDay(rules, period[field]));
  if (wrongDay)
    return {
      field: wrongDay,
      message: `Pick-up and return only on ${formatWeekdays(handoutDays ?? '', campus)}`,
    };
  const days = countRentalDays(period);
  if (min && days < min) return { field: 'last_day', message: `Rented out for at least ${formatDays(min)}` };
  if (max && days > max) return { field: 'last_day', message: `Rented out for at most ${formatDays(max)}` };
  return undefined;
};
