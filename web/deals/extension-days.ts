import { addDays } from '#contract/days.ts';
import { maxRentalDaysAhead } from '#contract/deals.ts';
import {
  type DealRentalPeriod,
  getRentalEnd,
  getRentalStart,
  type RentalPeriod,
} from '#contract/rental-times.ts';

/**
 * Returns the first and the last day (YYYY-MM-DD) to which a rental can be extended, with the same time of return. Returns
 * undefined if it cannot be extended, because the item is taken then. `taken` are the periods in which the item is taken, which
 * may include this rental. An overdue rental can be extended until today at the earliest.
 */
export const findExtensionDayRange = (
  { last_day: lastDay, return_time }: Pick<DealRentalPeriod, 'last_day' | 'return_time'>,
  taken: readonly RentalPeriod[],
  today: string,
): { from: string; to: string } | undefined => {
  if (lastDay === null) return undefined;
  const nextDay = addDays(lastDay, 1);
  const from = nextDay < today ? today : nextDay;
  const end = addDays(today, maxRentalDaysAhead);
  const [next] = taken
    .map(getRentalStart)
    .filter((start) => start >= getRentalEnd({ last_day: lastDay, return_time }))
    .sort();
  // On the day on which the next rental begins, this one can end before it.
  const dayOfNext = next?.slice(0, 10);
  const fits = next && dayOfNext && getRentalEnd({ last_day: dayOfNext, return_time }) <= next;
  const beforeNext = dayOfNext && (fits ? dayOfNext : addDays(dayOfNext, -1));
  const to = beforeNext && beforeNext < end ? beforeNext : end;
  return from <= to ? { from, to } : undefined;
};
