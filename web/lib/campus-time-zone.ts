import type { CampusTimes } from '#contract/campus.ts';
import { getDateFormat, getMachineFormat } from '#contract/date-format.ts';

/** Returns how far the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
export const getOffsetMs = (instant: number, timeZone: string): number => {
  const parts = getMachineFormat({
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(instant));
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second')) -
    Math.floor(instant / 1000) * 1000
  );
};

/**
 * Returns the name of the campus time zone, as in 'Pacific Time', if this device's clock shows a different
 * time from the campus at one of these instants (ISO 8601). Returns undefined otherwise.
 */
export const findDifferingCampusTimeZoneName = (
  { timezone, locale }: CampusTimes,
  instants: readonly string[],
  device = Intl.DateTimeFormat().resolvedOptions().timeZone,
): string | undefined => {
  const isSame = (instant: number) => getOffsetMs(instant, device) === getOffsetMs(instant, timezone);
  if (instants.every((instant) => isSame(Date.parse(instant)))) return undefined;
  return getDateFormat(locale, { timeZone: timezone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value;
};
