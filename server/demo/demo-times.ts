import { type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';

/** Returns the time `days` before `start`; `days` may be a fraction. */
export const subtractDays = (start: Date, days: number): Date =>
  addSeconds(start, -Math.round(days * dayInSeconds));

/**
 * Returns the `number`th Saturday after `start` in the campus time zone, as YYYY-MM-DD. Home games
 * are on Saturdays.
 */
export const getNthSaturdayAfter = (campus: CampusTimeZone, start: Date, number: number): string => {
  const day = new Date(`${toCampusDay(campus, start)}T00:00:00Z`);
  const untilNext = 6 - day.getUTCDay() || 7;
  return addSeconds(day, (untilNext + 7 * (number - 1)) * dayInSeconds)
    .toISOString()
    .slice(0, 10);
};

/** Returns when a day (YYYY-MM-DD) ends on the campus. */
export const getEndOfCampusDay = ({ timezone }: CampusTimeZone, day: string): Date =>
  new Date(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds);

/**
 * Matches a time in the data of the demo deals: a day and a time of day (`-2d 17:20`), or minutes (`-45m`).
 */
export const demoTimePattern = /^(?:([+-]\d+)d (\d\d:\d\d)|([+-]\d+)m)$/;

/**
 * Converts a time in the data of the demo deals to a Date: minutes after `start`, or a time of day in the
 * campus time zone, some days after the day of `start`. Throws when the text has neither form.
 */
export const parseDemoTime = (
  time: string,
  { campus, start }: { campus: CampusTimeZone; start: Date },
): Date => {
  const [, days, timeOfDay, minutes] = demoTimePattern.exec(time) ?? [];
  if (minutes !== undefined) return addSeconds(start, Number(minutes) * 60);
  if (days === undefined || timeOfDay === undefined) throw new Error(`'${time}' is not a time`);
  const day = Temporal.PlainDate.from(toCampusDay(campus, start)).add({ days: Number(days) });
  const local = day.toZonedDateTime({ timeZone: campus.timezone, plainTime: timeOfDay });
  return new Date(local.epochMilliseconds);
};
