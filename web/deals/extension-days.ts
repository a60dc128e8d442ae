import { addDays } from '#contract/days.ts';
import { maxRentalDaysAhead } from '#contract/deals.ts';
import type { CalendarDayRange } from '#web/ui/calendar.tsx';

/**
 * Returns the first and the last day (YYYY-MM-DD) to which a rental can be extended. Returns undefined if it
 * cannot be extended, because the next day is taken. `taken` are the periods in which the item is taken,
 * which may include this rental. An overdue rental can be extended until today at the earliest.
 */
export const findExtensionDayRange = (
  lastDay: string,
  taken: readonly CalendarDayRange[],
  today: string,
): { from: string; to: string } | undefined => {
  const nextDay = addDays(lastDay, 1);
  const from = nextDay < today ? today : nextDay;
  const end = addDays(today, maxRentalDaysAhead);
  const [next] = taken
    .map(({ first }) => first)
    .filter((first) => first > lastDay)
    .sort();
  const beforeNext = next && addDays(next, -1);
  const to = beforeNext && beforeNext < end ? beforeNext : end;
  return from <= to ? { from, to } : undefined;
};
