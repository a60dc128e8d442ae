import { type CampusTimes, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { type Deal, maxHandoverDaysAhead } from '#contract/deals.ts';
import type { CalendarDayRange } from '#web/ui/calendar.tsx';
import { toCampusInstant } from './campus-times.ts';

const dayMs = 24 * 3_600_000;
const quarterHourMs = 15 * 60_000;

/** The days on which a deal can be handed over. */
export interface HandoverDayRange extends CalendarDayRange {
  /** The earliest time on the first day, or undefined if every time of that day is possible. */
  earliest?: Date;
  /** The latest time on the last day, or undefined if every time of that day is possible. */
  latest?: Date;
}

/** Returns the days on which a deal can be handed over (deals.md, "Handover"). */
export const getHandoverDayRange = (
  deal: Pick<Deal, 'kind' | 'first_day' | 'last_day' | 'pickup_time' | 'return_time'>,
  campus: CampusTimes,
  now: Date,
): HandoverDayRange => {
  const today = toCampusDay(campus, now);
  if (deal.kind !== 'rental' || !deal.first_day) {
    const latest = new Date(now.getTime() + maxHandoverDaysAhead * dayMs);
    return { first: today, last: toCampusDay(campus, latest), latest };
  }
  const { first_day: day, pickup_time: pickup, return_time: returned } = deal;
  const toInstant = (time: string) => new Date(toCampusInstant(day, time, campus));
  // The last quarter of an hour before the return.
  const latest =
    returned && deal.last_day === day
      ? { latest: new Date(toInstant(returned).getTime() - quarterHourMs) }
      : {};
  if (pickup) return { first: day, last: day, earliest: toInstant(pickup), ...latest };
  const before = addDays(day, -1);
  return { first: before < today ? today : before, last: day, ...latest };
};
