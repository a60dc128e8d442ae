import { type Campus, campusDay } from '#contract/campus.ts';
import { secondsAfter } from '#server/platform/clock.ts';

const DAY = 24 * 60 * 60;

/** Returns the instant `days` (which may be a fraction) before the start. */
export const daysBefore = (start: Date, days: number): Date => secondsAfter(start, -Math.round(days * DAY));

/** Returns the `number`th Saturday after today in the campus time zone, as YYYY-MM-DD: home games are on Saturdays. */
export const saturdayAfter = (campus: Pick<Campus, 'timezone'>, start: Date, number: number): string => {
  const day = new Date(`${campusDay(campus, start)}T00:00:00Z`);
  const untilNext = 6 - day.getUTCDay() || 7;
  return secondsAfter(day, (untilNext + 7 * (number - 1)) * DAY)
    .toISOString()
    .slice(0, 10);
};
