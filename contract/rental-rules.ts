import { z } from 'zod';
import type { CampusLocale } from './campus.ts';
import { countRentalDays, type RentalPeriod } from './rental-times.ts';
import { formatWeekdays, getWeekday } from './weekdays.ts';

/** What the owner of an item for rent decides about its rentals. Without a value, everything is possible. */
export const rentalRulesSchema = z.object({
  min_rental_days: z.int().nullish(),
  max_rental_days: z.int().nullish(),
  /** The weekdays of pick-up and return as digits, from 1 for Monday to 7, as in '135'. */
  handout_days: z.string().nullish(),
});
export type RentalRules = z.infer<typeof rentalRulesSchema>;

/** Returns whether the owner hands the item out, and takes it back, on this day (YYYY-MM-DD). */
export const isHandoutDay = ({ handout_days: days }: RentalRules, day: string): boolean =>
  !days || days.includes(String(getWeekday(day)));

const formatDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

const findDayProblem = (rules: RentalRules, day: string, campus: CampusLocale): string | undefined =>
  isHandoutDay(rules, day)
    ? undefined
    : `Pick-up and return only on ${formatWeekdays(rules.handout_days ?? '', campus)}`;

const findLengthProblem = (
  { min_rental_days: min, max_rental_days: max }: RentalRules,
  period: RentalPeriod,
): string | undefined => {
  const days = countRentalDays(period);
  if (min && days < min) return `Rented out for at least ${formatDays(min)}`;
  return max && days > max ? `Rented out for at most ${formatDays(max)}` : undefined;
};

/** Returns why the owner does not rent the item out like this, with the field to correct, or undefined when it is possible. */
export const findRentalRuleProblem = (
  rules: RentalRules,
  period: RentalPeriod,
  campus: CampusLocale,
): { field: 'first_day' | 'last_day'; message: string } | undefined => {
  const wrongFirst = findDayProblem(rules, period.first_day, campus);
  if (wrongFirst) return { field: 'first_day', message: wrongFirst };
  const message = findDayProblem(rules, period.last_day, campus) ?? findLengthProblem(rules, period);
  return message === undefined ? undefined : { field: 'last_day', message };
};

/**
 * Returns why the owner does not let a rental last this long, or undefined when it is possible. `period` is that of the rental
 * after the extension. Its first day was agreed before, and a minimum asks for nothing any more.
 */
export const findExtensionRuleProblem = (
  rules: RentalRules,
  period: RentalPeriod,
  campus: CampusLocale,
): string | undefined =>
  findDayProblem(rules, period.last_day, campus) ??
  findLengthProblem({ max_rental_days: rules.max_rental_days }, period);
