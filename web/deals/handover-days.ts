import { type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { type Deal, maxHandoverDaysAhead } from '#contract/deals.ts';
import type { CalendarDayRange } from '#web/ui/calendar.tsx';

const dayMs = 24 * 3_600_000;

/**
 * Returns the first and the last day on which a deal can be handed over (deals.md, "Handover"). The
 * deadline is an instant on the last day, so later times on that day are not possible.
 */
export const getHandoverDayRange = (
  deal: Pick<Deal, 'kind' | 'first_day'>,
  campus: CampusTimeZone,
  now: Date,
): CalendarDayRange => {
  const today = toCampusDay(campus, now);
  if (deal.kind !== 'rental' || !deal.first_day)
    return {
      first: today,
      last: toCampusDay(campus, new Date(now.getTime() + maxHandoverDaysAhead * dayMs)),
    };
  const before = addDays(deal.first_day, -1);
  return { first: before < today ? today : before, last: deal.first_day };
};
