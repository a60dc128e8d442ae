import type { CampusLocale } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';

const styles = {
  time: { hour: 'numeric', minute: '2-digit' },
  weekdayDate: { weekday: 'long', month: 'long', day: 'numeric' },
  longDate: { month: 'long', day: 'numeric', year: 'numeric' },
  shortDate: { month: 'short', day: 'numeric' },
  shortDateWithYear: { month: 'short', day: 'numeric', year: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const format = (date: Date, style: keyof typeof styles, { locale }: CampusLocale): string =>
  getDateFormat(locale, styles[style]).format(date);

/** Returns the number of calendar days between two instants in the browser's time zone. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round(
    (new Date(later).setHours(12, 0, 0, 0) - new Date(earlier).setHours(12, 0, 0, 0)) / (24 * 60 * 60 * 1000),
  );

/** Formats the time of a message as hour and two-digit minute (specification §2). */
export const formatMessageTime = (instant: string, campus: CampusLocale): string =>
  format(new Date(instant), 'time', campus);

/** Returns a key that is equal for all instants of the same day in the browser's time zone. */
export const toDayKey = (instant: string): string => new Date(instant).toDateString();

/** Formats the day of a divider in a thread: 'Today', 'Yesterday' or the date. */
export const formatDayLabel = (instant: string, now: Date, campus: CampusLocale): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return format(day, day.getFullYear() === now.getFullYear() ? 'weekdayDate' : 'longDate', campus);
};

/** Formats the time of a conversation's last message for the list: the time of day today, otherwise the day. */
export const formatConversationTime = (instant: string, now: Date, campus: CampusLocale): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return format(day, 'time', campus);
  if (ago === 1) return 'Yesterday';
  return format(day, day.getFullYear() === now.getFullYear() ? 'shortDate' : 'shortDateWithYear', campus);
};
