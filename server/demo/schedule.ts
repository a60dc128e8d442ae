import { type Campus, campusDay } from '#contract/campus.ts';
import { secondsAfter } from '#server/platform/clock.ts';

const dayInSeconds = 24 * 60 * 60;

/** Returns the time `days` before `start`; `days` may be a fraction. */
export const daysBefore = (start: Date, days: number): Date =>
  secondsAfter(start, -Math.round(days * dayInSeconds));

/** Returns the `number`th Saturday after today in the campus time zone, as YYYY-MM-DD: home games are on Saturdays. */
export const saturdayAfter = (campus: Pick<Campus, 'timezone'>, start: Date, number: number): string => {
  const day = new Date(`${campusDay(campus, start)}T00:00:00Z`);
  const untilNext = 6 - day.getUTCDay() || 7;
  return secondsAfter(day, (untilNext + 7 * (number - 1)) * dayInSeconds)
    .toISOString()
    .slice(0, 10);
};
