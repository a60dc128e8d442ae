import type { CampusLocale } from './campus.ts';
import { getDateFormat } from './date-format.ts';

/** Node and most browsers support `getWeekInfo`; TypeScript's library does not declare it yet. */
type LocaleWithWeekInfo = Intl.Locale & { getWeekInfo?(): { firstDay: number } };

/** Returns the first day of the week in a locale: 1 for Monday to 7 for Sunday. */
export const getFirstWeekday = (locale: string): number =>
  (new Intl.Locale(locale) as LocaleWithWeekInfo).getWeekInfo?.().firstDay ?? 7;

/** Returns the weekday of a day (YYYY-MM-DD), from 1 for Monday to 7 for Sunday (ISO 8601). */
export const getWeekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** Returns the weekdays (1 for Monday to 7) in the order of the campus, each with its short name. */
export const listWeekdays = ({ locale }: CampusLocale): { weekday: number; name: string }[] =>
  Array.from({ length: 7 }, (_, index) => {
    const weekday = ((getFirstWeekday(locale) - 1 + index) % 7) + 1;
    // January 1, 2024, was a Monday.
    const name = getDateFormat(locale, { timeZone: 'UTC', weekday: 'short' }).format(
      Date.UTC(2024, 0, weekday),
    );
    return { weekday, name };
  });

/** Formats weekdays given as digits, as in 'Mon, Wed, Fri' for '135', in the order of the campus. */
export const formatWeekdays = (weekdays: string, campus: CampusLocale): string =>
  listWeekdays(campus)
    .filter(({ weekday }) => weekdays.includes(String(weekday)))
    .map(({ name }) => name)
    .join(', ');
