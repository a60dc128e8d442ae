import type { CampusLocale } from './campus.ts';
import { getDateFormat } from './date-format.ts';

/** Maximum number of days from today until a seller who is away is back. */
export const maxAwayDays = 120;

export const awayErrorMessages = {
  until: 'Choose the day when you are back',
  past: 'Choose a day after today',
  far: `You can be away for at most ${maxAwayDays} days`,
} as const;

/** Formats the day when somebody is back (YYYY-MM-DD), as in 'March 18'. */
export const formatReturnDay = (day: string, { locale }: CampusLocale): string =>
  getDateFormat(locale, { timeZone: 'UTC', month: 'long', day: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Returns what others read about a seller who is away until a day. */
export const formatSellerAway = (until: string, campus: CampusLocale): string =>
  `The seller is away until ${formatReturnDay(until, campus)}`;
