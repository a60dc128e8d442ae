import type { CampusTimes } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import {
  doRentalsOverlap,
  formatRentalEnd,
  formatRentalStart,
  formatRentalTime,
  getRentalEnd,
  getRentalStart,
  isRentalInOrder,
  type RentalPeriod,
  toCampusMinute,
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

/**
 * Returns why somebody cannot have the item in this period, with the time at which it is free, as in 'Somebody else has it until
 * Oct 5, 12:00 PM', or undefined when nobody else has it.
 */
export const describeTakenTime = (
  taken: readonly RentalPeriod[],
  period: RentalPeriod,
  campus: CampusTimes,
): string | undefined => {
  const [first, ...others] = taken
    .filter((it) => getRentalEnd(it) > getRentalStart(period))
    .sort((a, b) => (getRentalStart(a) < getRentalStart(b) ? -1 : 1));
  if (!first || !doRentalsOverlap(first, period)) return undefined;
  if (getRentalStart(first) > getRentalStart(period))
    return `Somebody else has it from ${formatRentalStart(first, campus)}`;
  let last = first;
  for (const next of others)
    if (getRentalStart(next) <= getRentalEnd(last) && getRentalEnd(next) > getRentalEnd(last)) last = next;
  return `Somebody else has it until ${formatRentalEnd(last, campus)}`;
};

export interface RentalTimeContext {
  taken: readonly RentalPeriod[];
  campus: CampusTimes;
  now: Date;
}

type RentalSide = 'pickup_time' | 'return_time';

/**
 * Returns whether nobody else has the item on the day of pick-up or return (`side`) from or until a time, or all day. Within one
 * day, the other time counts, too; until it is chosen, the item only has to be free right after the pick-up or before the return.
 */
const isSideFree = (
  side: RentalSide,
  { first_day: first, last_day: last, ...times }: RentalPeriod,
  time: string | undefined,
  taken: readonly RentalPeriod[],
): boolean => {
  const isPickup = side === 'pickup_time';
  const day = isPickup ? first : last;
  const period = { first_day: day, last_day: day, ...(first === last ? times : {}), [side]: time };
  const isOtherOpen = first === last && time && !(isPickup ? times.return_time : times.pickup_time);
  const overlaps = (it: RentalPeriod): boolean => {
    if (!isOtherOpen) return doRentalsOverlap(it, period);
    const [minute, start, end] = [`${day}T${time}`, getRentalStart(it), getRentalEnd(it)];
    return isPickup ? start <= minute && minute < end : start < minute && minute <= end;
  };
  return isRentalInOrder(period) && !taken.some(overlaps);
};

/**
 * Returns the coming quarter hours of pick-up or return (`side`) that are free, as options of a select, and the chosen one even if
 * it no longer is: a select could not show it otherwise. The first option, with an empty value, is the whole day.
 */
export const listRentalTimeOptions = (
  side: RentalSide,
  chosen: RentalPeriod,
  { taken, campus, now }: RentalTimeContext,
) => {
  const day = side === 'pickup_time' ? chosen.first_day : chosen.last_day;
  const minute = toCampusMinute(campus, now);
  const times = listQuarterHours(campus).filter(
    ({ value }) =>
      value === chosen[side] ||
      (`${day}T${value}` > minute &&
        isSideFree(side, chosen, value, taken) &&
        isOnCampusClock(day, value, campus)),
  );
  const isWholeDayFree = isSideFree(side, chosen, undefined, taken);
  return [{ value: '', label: isWholeDayFree ? 'Any time' : 'Choose a time' }, ...times];
};

/** Returns the times of the longest rental that is possible within one day, as `chooseRentalTimes` does. */
const chooseTimesOfDay = (day: string, context: RentalTimeContext): Record<RentalSide, string> => {
  const list = (side: RentalSide) =>
    listRentalTimeOptions(side, { first_day: day, last_day: day }, context).slice(1);
  const [pickups, returns] = [list('pickup_time'), list('return_time')];
  const hours = listTakenHours(context.taken, day);
  const gaps = ['00:00', ...hours.map(([, to]) => to)].map((from, index) => {
    const to = hours[index]?.[0] ?? '24:00';
    return { from, to, pickups: pickups.filter(({ value }) => value >= from && value < to) };
  });
  const [gap] = gaps.sort((a, b) => b.pickups.length - a.pickups.length);
  const last = returns.findLast(({ value }) => gap && value <= gap.to);
  return {
    pickup_time: gap?.from === '00:00' ? '' : (gap?.pickups[0]?.value ?? ''),
    return_time: gap?.to === '24:00' ? '' : (last?.value ?? ''),
  };
};

/**
 * Returns the times with which a rental of these days lasts as long as nobody else has the item: empty for whole days, otherwise
 * the earliest pick-up and the latest return.
 */
export const chooseRentalTimes = (
  days: Pick<RentalPeriod, 'first_day' | 'last_day'>,
  context: RentalTimeContext,
): Record<RentalSide, string> => {
  if (days.first_day === days.last_day) return chooseTimesOfDay(days.first_day, context);
  const choose = (side: RentalSide): string => {
    if (isSideFree(side, days, undefined, context.taken)) return '';
    const times = listRentalTimeOptions(side, days, context).slice(1);
    return times.at(side === 'pickup_time' ? 0 : -1)?.value ?? '';
  };
  return { pickup_time: choose('pickup_time'), return_time: choose('return_time') };
};
