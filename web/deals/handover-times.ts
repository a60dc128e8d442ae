import { type CampusTimes, toCampusDay } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';
import { addDays } from '#contract/days.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';

/** Formats the time of day of an instant (ISO 8601) on the campus, as in '7:00 AM'. */
export const formatCampusTimeOfDay = (instant: string, { timezone, locale }: CampusTimes): string =>
  getDateFormat(locale, { timeZone: timezone, hour: 'numeric', minute: '2-digit' }).format(new Date(instant));

const findNearDay = (instant: string, campus: CampusTimes, now: Date): string | undefined => {
  const [day, today] = [new Date(instant), now].map((it) => toCampusDay(campus, it));
  if (day === today) return 'Today';
  return day === addDays(today ?? '', 1) ? 'Tomorrow' : undefined;
};

/** Formats the campus day of an instant (ISO 8601) as a heading: 'Today', 'Tomorrow' or 'Sunday, November 29'. */
export const formatHandoverDay = (instant: string, campus: CampusTimes, now: Date): string =>
  findNearDay(instant, campus, now) ??
  getDateFormat(campus.locale, {
    timeZone: campus.timezone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(new Date(instant));

/** Formats an instant (ISO 8601) in campus time, as in 'Today 7:00 AM' or 'Sun, Nov 29, 7:00 AM'. */
export const formatHandoverTime = (instant: string, campus: CampusTimes, now: Date): string => {
  const near = findNearDay(instant, campus, now);
  return near ? `${near} ${formatCampusTimeOfDay(instant, campus)}` : formatCampusTime(instant, campus);
};

/** Number of days within which a weekday alone says which day is meant. */
const weekdayIsClear = 6;

/** Formats an instant (ISO 8601) in campus time as briefly as possible, as in 'Sun 12 PM' or 'Dec 9, 5:30 PM'. */
export const formatBriefHandoverTime = (instant: string, campus: CampusTimes, now: Date): string => {
  const time = formatCampusTimeOfDay(instant, campus).replace(/:00(?=\s[AP]M)/i, '');
  const near = findNearDay(instant, campus, now);
  if (near) return `${near} ${time}`;
  const at = new Date(instant);
  const day = toCampusDay(campus, at);
  const today = toCampusDay(campus, now);
  const isNextWeek = day > today && day <= addDays(today, weekdayIsClear);
  const format = isNextWeek
    ? getDateFormat(campus.locale, { timeZone: campus.timezone, weekday: 'short' })
    : getDateFormat(campus.locale, { timeZone: campus.timezone, month: 'short', day: 'numeric' });
  return `${format.format(at)}${isNextWeek ? '' : ','} ${time}`;
};
