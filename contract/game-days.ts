import { type Campus, campusDay } from './campus.ts';
import type { gameDateRanges } from './listing-queries.ts';

export interface Days {
  /** First day and last day of the range, YYYY-MM-DD. */
  from: string;
  to: string;
}

export type GameDateRange = (typeof gameDateRanges)[number];

const dayInMs = 24 * 3600 * 1000;
const toIsoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Node and most browsers support `getWeekInfo`; TypeScript's library does not declare it yet. */
type LocaleWithWeeks = Intl.Locale & { getWeekInfo(): { firstDay: number } };

/** Returns the first day of the week in a locale: 1 is Monday, 7 is Sunday. */
const firstWeekday = (locale: string): number =>
  (new Intl.Locale(locale) as LocaleWithWeeks).getWeekInfo().firstDay;

/**
 * Returns the days that a game-date filter selects at an instant. Weeks begin on the usual day of the campus locale.
 */
export const gameDays = (
  range: GameDateRange,
  campus: Pick<Campus, 'timezone' | 'locale'>,
  now: Date,
): Days => {
  const noon = new Date(`${campusDay(campus, now)}T12:00:00Z`);
  if (range === 'this-month') {
    const [year, month] = [noon.getUTCFullYear(), noon.getUTCMonth()];
    return { from: toIsoDay(Date.UTC(year, month, 1)), to: toIsoDay(Date.UTC(year, month + 1, 0)) };
  }
  const sinceFirst = (noon.getUTCDay() + 7 - firstWeekday(campus.locale)) % 7;
  const first = noon.getTime() + ((range === 'next-week' ? 7 : 0) - sinceFirst) * dayInMs;
  return { from: toIsoDay(first), to: toIsoDay(first + 6 * dayInMs) };
};
