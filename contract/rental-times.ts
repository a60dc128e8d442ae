import { z } from 'zod';
import { type CampusLocale, type CampusTimeZone, toCampusDay } from './campus.ts';
import { getDateFormat, getMachineFormat } from './date-format.ts';
import { millisecondsPerDay } from './days.ts';

// Times of rentals are wall-clock times of the campus. As minutes in the form YYYY-MM-DDTHH:MM they are ordered as text.
// '24:00' is the end of a day. Why not instants: docs/decisions/0106.

/**
 * The days of a rental (YYYY-MM-DD) and its times (HH:MM). Without a time of pick-up it begins with its first day, and without
 * a time of return it ends with its last day.
 */
export interface RentalPeriod {
  first_day: string;
  last_day: string;
  pickup_time?: string | null | undefined;
  return_time?: string | null | undefined;
}

/** A rental period of a deal, which has none unless it is a rental. */
export interface DealRentalPeriod extends Pick<RentalPeriod, 'pickup_time' | 'return_time'> {
  first_day: string | null;
  last_day: string | null;
}

/** A time of pick-up or return in a request: a quarter of an hour, as in '14:15'. */
export const createRentalTimeSchema = (sentence: string) =>
  z.string({ error: sentence }).regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, sentence);

/** The times of a rental in responses. Absent for whole days, and in responses of versions before 0.13. */
export const rentalTimeFields = {
  /** When the rental begins on its first day (HH:MM on campus). */
  pickup_time: z.string().optional(),
  /** When the rental ends on its last day (HH:MM on campus). */
  return_time: z.string().optional(),
};

/** The days and times of a rental in responses. */
export const rentalPeriodSchema = z.object({
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  ...rentalTimeFields,
});

/** Returns the given times of a rental as the fields of a response, without those that it does not have. */
export const presentRentalTimes = ({
  pickup_time: pickup,
  return_time: returned,
}: Pick<DealRentalPeriod, 'pickup_time' | 'return_time'>): {
  pickup_time?: string;
  return_time?: string;
} => ({
  ...(pickup && { pickup_time: pickup }),
  ...(returned && { return_time: returned }),
});

/** Returns the minute in which a rental begins. */
export const getRentalStart = ({
  first_day: day,
  pickup_time: time,
}: Pick<RentalPeriod, 'first_day' | 'pickup_time'>): string => `${day}T${time ?? '00:00'}`;

/** Returns the minute in which a rental ends, which is no longer part of it. */
export const getRentalEnd = ({
  last_day: day,
  return_time: time,
}: Pick<RentalPeriod, 'last_day' | 'return_time'>): string => `${day}T${time ?? '24:00'}`;

/** Returns the minute on the clock of the campus at an instant. */
export const toCampusMinute = (campus: CampusTimeZone, instant: Date): string => {
  const time = getMachineFormat({ timeZone: campus.timezone, hour: '2-digit', minute: '2-digit' });
  return `${toCampusDay(campus, instant)}T${time.format(instant)}`;
};

/** Returns whether a rental has ended at a minute on campus. Returns false for deals that are not rentals. */
export const isRentalOver = (
  { last_day: day, return_time: time }: Pick<DealRentalPeriod, 'last_day' | 'return_time'>,
  minute: string,
): boolean => day !== null && getRentalEnd({ last_day: day, return_time: time }) <= minute;

/** Returns whether a rental begins before it ends. */
export const isRentalInOrder = (period: RentalPeriod): boolean =>
  getRentalStart(period) < getRentalEnd(period);

/** Returns whether two rentals have a minute in common. A rental may begin in the minute in which another one ends. */
export const doRentalsOverlap = (one: RentalPeriod, other: RentalPeriod): boolean =>
  getRentalStart(one) < getRentalEnd(other) && getRentalStart(other) < getRentalEnd(one);

const toMilliseconds = (minute: string): number => {
  const [day = '', time = ''] = minute.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return Date.parse(day) + (hours * 60 + minutes) * 60_000;
};

/**
 * Returns for how many days a rental lasts: calendar days, or with times started periods of 24 hours on the clock, so that from
 * Monday noon to Tuesday noon is one day.
 */
export const countRentalDays = (period: RentalPeriod): number =>
  Math.ceil(
    (toMilliseconds(getRentalEnd(period)) - toMilliseconds(getRentalStart(period))) / millisecondsPerDay,
  );

/** Formats a time of the day (HH:MM), as in '2:15 PM'. */
export const formatRentalTime = (time: string, { locale }: CampusLocale): string =>
  getDateFormat(locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' }).format(
    new Date(`2000-01-01T${time}:00Z`),
  );

const formatDayAndTime = (day: string, time: string | null | undefined, { locale }: CampusLocale): string => {
  const date = new Date(`${day}T${time ?? '00:00'}:00Z`);
  const clock = time && ({ hour: 'numeric', minute: '2-digit' } as const);
  return getDateFormat(locale, { timeZone: 'UTC', month: 'short', day: 'numeric', ...clock }).format(date);
};

/** Formats when a rental begins, as in 'Oct 1' or 'Oct 1, 2:00 PM'. Returns an empty string without a day. */
export const formatRentalStart = (
  { first_day: day, pickup_time: time }: Pick<DealRentalPeriod, 'first_day' | 'pickup_time'>,
  campus: CampusLocale,
): string => (day ? formatDayAndTime(day, time, campus) : '');

/** Formats when a rental ends, as in 'Oct 5' or 'Oct 5, 12:00 PM'. Returns an empty string without a day. */
export const formatRentalEnd = (
  { last_day: day, return_time: time }: Pick<DealRentalPeriod, 'last_day' | 'return_time'>,
  campus: CampusLocale,
): string => (day ? formatDayAndTime(day, time, campus) : '');

/** Formats a rental, as in 'Oct 1', 'Oct 1 to Oct 5' or 'Oct 1, 2:00 PM to Oct 5, 12:00 PM'. */
export const formatRentalPeriod = (period: DealRentalPeriod, campus: CampusLocale): string => {
  const [start, end] = [formatRentalStart(period, campus), formatRentalEnd(period, campus)];
  return start === end ? start : `${start} to ${end}`;
};
