import { type CampusTimes, type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import { getDateFormat, getMachineFormat } from '#contract/date-format.ts';
import { addDays } from '#contract/days.ts';
import { getOffsetMs } from '#web/lib/campus-time-zone.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Converts a day (YYYY-MM-DD) and a time (HH:MM) in the campus time zone to an instant (ISO 8601). If the
 * clocks skip this time when daylight saving time begins, it counts as one hour later. If the time occurs
 * twice when daylight saving time ends, returns its first occurrence.
 */
export const toCampusInstant = (day: string, time: string, { timezone }: CampusTimeZone): string => {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const [before = 0, after = 0] = [-1, 1].map((days) => getOffsetMs(wall + days * dayMs, timezone));
  const offset = [before, after].find((it) => getOffsetMs(wall - it, timezone) === it) ?? before;
  return new Date(wall - offset).toISOString();
};

const formatDayLabel = (day: string, today: string, { locale }: CampusTimes): string => {
  const label = getDateFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format(new Date(`${day}T00:00:00Z`));
  if (day === today) return 'Today';
  return day === addDays(today, 1) ? 'Tomorrow' : label;
};

/** Returns the days from `first` to `last` (YYYY-MM-DD) as options of a select. */
export const listDayOptions = (first: string, last: string, campus: CampusTimes, now: Date) => {
  const today = toCampusDay(campus, now);
  const options = [];
  for (let day = first; day <= last; day = addDays(day, 1))
    options.push({ value: day, label: formatDayLabel(day, today, campus) });
  return options;
};

/** All quarter hours of a day as options of a select. */
export const listQuarterHours = ({ locale }: CampusTimes) =>
  Array.from({ length: 96 }, (_, index) => {
    const minutes = index * 15;
    const value = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const label = getDateFormat(locale, {
      timeZone: 'UTC',
      hour: 'numeric',
      minute: '2-digit',
    }).format(minutes * 60_000);
    return { value, label };
  });

/** Returns the time (HH:MM) on campus at an instant. */
export const toCampusTime = (instant: Date, { timezone }: CampusTimeZone): string =>
  getMachineFormat({
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant);

/** Returns whether a time (HH:MM) of a day (YYYY-MM-DD) exists: the clocks skip some when daylight saving time begins. */
export const isOnCampusClock = (day: string, time: string, campus: CampusTimeZone): boolean =>
  toCampusTime(new Date(toCampusInstant(day, time, campus)), campus) === time;

/**
 * Returns the quarter hours of a day (YYYY-MM-DD) that are in the future, and neither before `earliest` nor after `latest`, if
 * they are given, as options of a select.
 */
export const listTimeOptions = (
  day: string,
  campus: CampusTimes,
  now: Date,
  { earliest, latest }: { earliest?: Date | undefined; latest?: Date | undefined } = {},
) => {
  const today = toCampusDay(campus, now);
  const lastDay = latest && toCampusDay(campus, latest);
  if (day < today || (lastDay && day > lastDay)) return [];
  const after = day === today ? toCampusTime(now, campus) : '';
  const until = latest && day === lastDay ? toCampusTime(latest, campus) : '24:00';
  const from = earliest && day === toCampusDay(campus, earliest) ? toCampusTime(earliest, campus) : '00:00';
  return listQuarterHours(campus).filter(({ value }) => value > after && value >= from && value <= until);
};
