import type { CampusLocale } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { formatMonthDay } from '#web/lib/format.ts';

/** Maximum number of periods that the page of a rental shows. */
const maxPeriodsShown = 6;

// A non-breaking space keeps month and day on one line.
const formatDay = (day: string, campus: CampusLocale): string =>
  formatMonthDay(day, campus).replace(' ', '\u00a0');

/**
 * Formats the days on which somebody else has rented the item, as in 'until Oct 5, Oct 9 to Oct 12'. Returns
 * an empty string if there are none. Omits days before `today` (YYYY-MM-DD, in the campus time zone).
 */
export const formatTakenDays = (
  { taken_days: taken, rented_until: until }: Pick<Listing, 'taken_days' | 'rented_until'>,
  today: string,
  campus: CampusLocale,
): string => {
  const periods = [...(until ? [{ first_day: today, last_day: until }] : []), ...taken].filter(
    ({ last_day: last }) => last >= today,
  );
  const texts = periods.map(({ first_day: first, last_day: last }) => {
    if (first <= today) return `until ${formatDay(last, campus)}`;
    return first === last
      ? formatDay(first, campus)
      : `${formatDay(first, campus)} to ${formatDay(last, campus)}`;
  });
  const others = texts.length - maxPeriodsShown;
  return [...texts.slice(0, maxPeriodsShown), ...(others > 0 ? [`and ${others} more`] : [])].join(', ');
};
