import type { CampusLocale } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { formatRentalEnd, formatRentalPeriod, isRentalOver } from '#contract/rental-times.ts';

/** Maximum number of periods that the page of a rental shows. */
const maxPeriodsShown = 6;

// A non-breaking space keeps month and day on one line.
const keepTogether = (text: string): string =>
  text.replaceAll(/(\p{L}) (\d)|(\d) (\p{L})/gu, '$1$3\u00a0$2$4');

/**
 * Formats when somebody else has rented the item, as in 'until Oct 5, Oct 9 to Oct 12'. Returns an empty string if nobody has.
 * Omits days before `today` (YYYY-MM-DD, in the campus time zone).
 */
export const formatTakenDays = (
  { taken_days: taken, rented_until: until }: Pick<Listing, 'taken_days' | 'rented_until'>,
  today: string,
  campus: CampusLocale,
): string => {
  const periods: Listing['taken_days'] = [
    ...(until ? [{ first_day: today, last_day: until }] : []),
    ...taken,
  ].filter((period) => !isRentalOver(period, `${today}T00:00`));
  const texts = periods.map((period) => {
    const hasBegun = period.first_day < today || (period.first_day === today && !period.pickup_time);
    const text = hasBegun ? `until ${formatRentalEnd(period, campus)}` : formatRentalPeriod(period, campus);
    return keepTogether(text);
  });
  const others = texts.length - maxPeriodsShown;
  return [...texts.slice(0, maxPeriodsShown), ...(others > 0 ? [`and ${others} more`] : [])].join(
    periods.some((it) => it.pickup_time || it.return_time) ? '; ' : ', ',
  );
};
