import type { gameDateRanges } from '#contract/listings.ts';

export interface Days {
  /** First and last day, YYYY-MM-DD. */
  from: string;
  to: string;
}

const dayMs = 24 * 3600 * 1000;
const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Returns the days of a game-date filter, relative to a campus day (YYYY-MM-DD). Weeks run from Monday to Sunday. */
export const gameDays = (range: (typeof gameDateRanges)[number], today: string): Days => {
  const noon = new Date(`${today}T12:00:00Z`);
  if (range === 'this-month') {
    const [year, month] = [noon.getUTCFullYear(), noon.getUTCMonth()];
    return { from: iso(Date.UTC(year, month, 1)), to: iso(Date.UTC(year, month + 1, 0)) };
  }
  const sinceMonday = (noon.getUTCDay() + 6) % 7;
  const monday = noon.getTime() + ((range === 'next-week' ? 7 : 0) - sinceMonday) * dayMs;
  return { from: iso(monday), to: iso(monday + 6 * dayMs) };
};
