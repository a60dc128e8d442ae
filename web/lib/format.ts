import type { CampusLocale, CampusTimes } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';
import { getNumberFormat } from '#contract/number-format.ts';

// Server and browser must render the same text, so time zone and language never depend on the
// settings of the machine.
const formatInstant = (
  instant: Date,
  { timezone: timeZone, locale }: CampusTimes,
  options: Intl.DateTimeFormatOptions,
): string => getDateFormat(locale, { timeZone, ...options }).format(instant);

// A calendar day has no time zone, so it is parsed and formatted in UTC.
const parseDay = (day: string): Date => new Date(`${day}T00:00:00Z`);

const formatCalendarDay = (
  day: string,
  { locale }: CampusLocale,
  options: Intl.DateTimeFormatOptions,
): string => formatInstant(parseDay(day), { timezone: 'UTC', locale }, options);

/** Formats a calendar day (YYYY-MM-DD) in full, as in 'Monday, January 5, 2026'. */
export const formatLongDay = (day: string, campus: CampusLocale): string =>
  formatCalendarDay(day, campus, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });

/** Formats a calendar day for a card, as in 'Mon, Jan 5, 2026'. */
export const formatShortDay = (day: string, campus: CampusLocale): string =>
  formatCalendarDay(day, campus, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** Formats a calendar day without its year, as in 'Jan 5'. */
export const formatMonthDay = (day: string, campus: CampusLocale): string =>
  formatCalendarDay(day, campus, { month: 'short', day: 'numeric' });

/**
 * Returns a text such as 'Rented until Jan 5'. For an overdue rental, `lastDay` is undefined and the text
 * is 'Rented'.
 */
export const formatRentedUntil = (lastDay: string | undefined, campus: CampusLocale): string =>
  lastDay ? `Rented until ${formatMonthDay(lastDay, campus)}` : 'Rented';

/** Formats the date of an instant (ISO 8601) in the campus time zone, as in 'January 5, 2025'. */
export const formatCampusDate = (instant: string, campus: CampusTimes): string =>
  formatInstant(new Date(instant), campus, { month: 'long', day: 'numeric', year: 'numeric' });

/** Formats the month of an instant (ISO 8601) in the campus time zone, as in 'January 2025'. */
export const formatCampusMonth = (instant: string, campus: CampusTimes): string =>
  formatInstant(new Date(instant), campus, { month: 'long', year: 'numeric' });

/** Formats an instant (ISO 8601) in the campus time zone, as in 'Mon, Jan 5, 6:30 PM'. */
export const formatCampusDateTime = (instant: string, campus: CampusTimes): string =>
  formatInstant(new Date(instant), campus, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });

/** Formats a full hour of the day (0 to 23), as in '10:00 PM'. */
export const formatHour = (hour: number, { locale }: CampusLocale): string =>
  formatInstant(
    new Date(hour * 3_600_000),
    { timezone: 'UTC', locale },
    { hour: 'numeric', minute: '2-digit' },
  );

/** Formats an instant (ISO 8601) of the next days in the campus time zone, as in 'Mon 6:30 PM'. */
export const formatCampusWeekdayTime = (instant: string, campus: CampusTimes): string =>
  formatInstant(new Date(instant), campus, { weekday: 'short', hour: 'numeric', minute: '2-digit' });

/** Formats a range of calendar days (YYYY-MM-DD), as in 'Nov 22 – 28' or 'Nov 29 – Dec 5'. */
export const formatDayRange = (from: string, to: string, { locale }: CampusLocale): string =>
  getDateFormat(locale, { timeZone: 'UTC', month: 'short', day: 'numeric' })
    .formatRange(parseDay(from), parseDay(to))
    .replaceAll('\u2009', ' ');

/** Time units of a formatted age, largest first, with their lengths in minutes. */
const ageUnits = [
  [525_600, 'y'],
  [43_200, 'mo'],
  [1440, 'd'],
  [60, 'h'],
  [1, 'min'],
] as const;

/** Formats the time since an instant (ISO 8601) in one unit, rounded down, as in '2 h' or '3 d'; at least '1 min'. */
export const formatAge = (since: string, now: Date): string => {
  const minutes = Math.max(1, (now.getTime() - Date.parse(since)) / 60_000);
  const [length, unit] = ageUnits.find(([size]) => minutes >= size) ?? ageUnits[4];
  return `${Math.floor(minutes / length)} ${unit}`;
};

/** Returns when a listing was confirmed to be available, as in 'Confirmed available 3 days ago'. */
export const formatConfirmation = (confirmedAt: string, now: Date): string => {
  const days = Math.floor((now.getTime() - Date.parse(confirmedAt)) / 86_400_000);
  if (days < 1) return 'Confirmed available today';
  return `Confirmed available ${days} ${days === 1 ? 'day' : 'days'} ago`;
};

/** Formats a count with thousands separators, as in '10,000'. A count above `exact` is formatted as '10,000+'. */
export const formatCount = (
  count: number,
  { locale }: CampusLocale,
  exact = Number.POSITIVE_INFINITY,
): string => {
  const format = getNumberFormat(locale);
  return count > exact ? `${format.format(exact)}+` : format.format(count);
};
