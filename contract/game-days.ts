import { type Campus, toCampusDay } from './campus.ts';
import { millisecondsPerDay } from './days.ts';
import type { gameDateRanges } from './listing-queries.ts';
import { getFirstWeekday } from './weekdays.ts';

export interface DayRange {
  /** First and last day of the range, both inclusive (YYYY-MM-DD). */
  from: string;
  to: string;
}

/**
 * Returns whether the game of a listing has passed. `today` is the current date on the campus (YYYY-MM-DD).
 */
export const isPassedGame = (
  { category, game_date: day }: { category: string | null; game_date: string | null },
  today: string,
): boolean => category === 'game-day' && day !== null && day < today;

export type GameDateRange = (typeof gameDateRanges)[number];

const toIsoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/**
 * Returns the first and the last day of a game-date filter (such as `this-week`) at `now`. The
 * campus locale determines the first day of the week.
 */
export const resolveGameDateRange = (
  range: GameDateRange,
  campus: Pick<Campus, 'timezone' | 'locale'>,
  now: Date,
): DayRange => {
  const noon = new Date(`${toCampusDay(campus, now)}T12:00:00Z`);
  if (range === 'this-month') {
    const [year, month] = [noon.getUTCFullYear(), noon.getUTCMonth()];
    return { from: toIsoDay(Date.UTC(year, month, 1)), to: toIsoDay(Date.UTC(year, month + 1, 0)) };
  }
  const sinceFirst = (noon.getUTCDay() + 7 - getFirstWeekday(campus.locale)) % 7;
  const first = noon.getTime() + ((range === 'next-week' ? 7 : 0) - sinceFirst) * millisecondsPerDay;
  return { from: toIsoDay(first), to: toIsoDay(first + 6 * millisecondsPerDay) };
};
