import { type Campus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { dealErrorMessages, maxRentalDaysAhead } from '#contract/deals.ts';
import { findExtensionRuleProblem, type RentalRules } from '#contract/rental-rules.ts';
import {
  getRentalEnd,
  getRentalStart,
  isRentalOver,
  type RentalPeriod,
  toCampusMinute,
} from '#contract/rental-times.ts';
import type { CalendarDayRange } from '#web/ui/calendar.tsx';
import { isOnCampusClock } from './campus-times.ts';

/** Returns the days between the first and the last of these days that are not among them. */
export const listDaysBetween = (days: readonly string[]): CalendarDayRange[] =>
  days.flatMap((day, index) => {
    const previous = days[index - 1];
    const first = previous && addDays(previous, 1);
    return first && first < day ? [{ first, last: addDays(day, -1) }] : [];
  });

/**
 * Returns the days (YYYY-MM-DD) to which a rental can be extended, with the same time of return, in their order; without any,
 * also the reason. `taken` are the periods in which the item is taken, which may include this rental.
 */
export const listExtensionDays = (
  rental: RentalPeriod,
  {
    taken,
    rules,
    campus,
    now,
  }: { taken: readonly RentalPeriod[]; rules: RentalRules; campus: Campus; now: Date },
): { days: string[]; problem?: string | undefined } => {
  const extendTo = (day: string): RentalPeriod => ({ ...rental, last_day: day });
  const today = toCampusDay(campus, now);
  const end = addDays(today, maxRentalDaysAhead);
  const minute = toCampusMinute(campus, now);
  const presentEnd = getRentalEnd(rental);
  const [nextStart] = taken
    .map(getRentalStart)
    .filter((start) => start >= presentEnd)
    .sort();
  const nextDay = addDays(rental.last_day, 1);
  const free: string[] = [];
  for (let day = nextDay < today ? today : nextDay; day <= end; day = addDays(day, 1)) {
    const period = extendTo(day);
    if (nextStart && getRentalEnd(period) > nextStart) break;
    const isPossible = !rental.return_time || isOnCampusClock(day, rental.return_time, campus);
    if (isPossible && !isRentalOver(period, minute)) free.push(day);
  }
  const findProblem = (day: string) => findExtensionRuleProblem(rules, extendTo(day), campus);
  const days = free.filter((day) => findProblem(day) === undefined);
  if (days.length > 0) return { days };
  const [first] = free;
  const limit = nextStart ? 'Somebody else has the next days' : dealErrorMessages.dayFar;
  return { days, problem: (first && findProblem(first)) ?? limit };
};
