import { type CampusTimes, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { type Deal, maxHandoverDaysAhead } from '#contract/deals.ts';
import type { CalendarDayRange } from '#web/ui/calendar.tsx';
import { toCampusInstant } from './campus-times.ts';

const dayMs = 24 * 3_600_000;

/** The days on which a deal can be handed over. */
export interface HandoverDayRange extends CalendarDayRange {
  /** The earliest time on the first day, or undefined if every time of that day is possible. */
  earliest?: Date;
  /** The latest time on the last day, or undefined if every time of that day is possible. */
  latest?: Date;
}

/** Returns the days on which a deal can be handed over (deals.md, "Handover"). */
export const getHandoverDayRange = (
  deal: Pick<Deal, 'kind' | 'first_day' | 'pickup_time'>,
  campus: CampusTimes,
  now: Date,
): HandoverDayRange => {
  const today = toCampusDay(campus, now);
  if (deal.kind !== 'rental' || !deal.first_day) {
    const latest = new Date(now.getTime() + maxHandoverDaysAhead * dayMs);
    return { first: today, last: toCampusDay(campus, latest), latest };
  }
  if (deal.pickup_time) {
    const earliest = new Date(toCampusInstant(deal.first_day, deal.pickup_time, campus));
    return { first: deal.first_day, last: deal.first_day, earliest };
  }
  const before = addDays(deal.first_day, -1);
  return { first: before < today ? today : before, last: deal.first_day };
};
