import type { CampusTimes } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import {
  doRentalsOverlap,
  formatRentalTime,
  getRentalEnd,
  getRentalStart,
  type RentalPeriod,
} from '#contract/rental-times.ts';
import { isOnCampusClock, listQuarterHours } from './campus-times.ts';

/** The times (HH:MM) of a day between which an item is taken, from '00:00' to '24:00'. */
type Hours = [from: string, to: string];

const listTakenHours = (taken: readonly RentalPeriod[], day: string): Hours[] => {
  const [dayStart, dayEnd] = [`${day}T00:00`, `${day}T24:00`];
  const hours = taken
    .filter((it) => getRentalStart(it) < dayEnd && getRentalEnd(it) > dayStart)
    .map((it): Hours => {
      const [start, end] = [getRentalStart(it), getRentalEnd(it)];
      return [start < dayStart ? '00:00' : start.slice(11), end > dayEnd ? '24:00' : end.slice(11)];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const merged: Hours[] = [];
  for (const [from, to] of hours) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = to > last[1] ? to : last[1];
    else merged.push([from, to]);
  }
  return merged;
};

const describeHours = ([from, to]: Hours, campus: CampusTimes): string => {
  if (from === '00:00') return `taken until ${formatRentalTime(to, campus)}`;
  return to === '24:00'
    ? `taken from ${formatRentalTime(from, campus)}`
    : `taken ${formatRentalTime(from, campus)} to ${formatRentalTime(to, campus)}`;
};

export interface TakenDays {
  /** The days that are taken completely. */
  full: { first: string; last: string }[];
  /** Of the days that are taken partly: at which hours, as in 'taken until 12:00 PM'. */
  partly: Map<string, string>;
}

/** Returns which days from `from` to `to` (YYYY-MM-DD) are taken, completely or partly, in the order of the calendar. */
export const findTakenDays = (
  taken: readonly RentalPeriod[],
  { from, to }: { from: string; to: string },
  campus: CampusTimes,
): TakenDays => {
  const days: TakenDays = { full: [], partly: new Map() };
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const hours = listTakenHours(taken, day);
    const [first] = hours;
    if (first?.[0] === '00:00' && first[1] === '24:00') days.full.push({ first: day, last: day });
    else if (first) days.partly.set(day, hours.map((it) => describeHours(it, campus)).join(', '));
  }
  return days;
};

/** Returns whether nobody else has the item in this period. */
export const isFree = (taken: readonly RentalPeriod[], period: RentalPeriod): boolean =>
  !taken.some((it) => doRentalsOverlap(it, period));

/**
 * Returns the quarter hours of pick-up or return (`side`) that are free, as options of a select. The first option, with an empty
 * value, is the whole day.
 */
export const listRentalTimeOptions = (
  side: 'pickup_time' | 'return_time',
  chosen: RentalPeriod,
  { taken, campus }: { taken: readonly RentalPeriod[]; campus: CampusTimes },
) => {
  const { first_day: first, last_day: last, pickup_time: pickup, return_time: returned } = chosen;
  const day = side === 'pickup_time' ? first : last;
  // Within one day the other time counts, too.
  const other = first === last ? { pickup_time: pickup, return_time: returned } : {};
  const isPossible = (time: string | undefined): boolean => {
    const period = { first_day: day, last_day: day, ...other, [side]: time };
    return getRentalStart(period) < getRentalEnd(period) && isFree(taken, period);
  };
  const times = listQuarterHours(campus).filter(
    ({ value }) => isPossible(value) && isOnCampusClock(day, value, campus),
  );
  return [{ value: '', label: isPossible(undefined) ? 'Any time' : 'Choose a time' }, ...times];
};
