import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { RentalPeriod } from '#contract/rental-times.ts';
import { chooseRentalTimes, describeTakenTime, findTakenDays, listRentalTimeOptions } from './taken-hours.ts';

const taken = [
  { first_day: '2026-10-04', last_day: '2026-10-06', pickup_time: '17:00', return_time: '12:00' },
  { first_day: '2026-10-06', last_day: '2026-10-07', pickup_time: '12:00', return_time: '10:00' },
  { first_day: '2026-10-09', last_day: '2026-10-09', pickup_time: '09:00', return_time: '11:00' },
];
const now = new Date('2026-03-01T20:00:00.000Z');
const context = { taken, campus: defaultCampus, now };
const offer = (
  side: 'pickup_time' | 'return_time',
  first_day: string,
  last_day: string,
  times: { pickup_time?: string; return_time?: string } = {},
): string[] =>
  listRentalTimeOptions(side, { first_day, last_day, ...times }, context).map(
    ({ value, label }) => value || label,
  );

test('days are taken completely, also by two rentals that touch, or partly, with their hours', () => {
  const { full, partly } = findTakenDays(taken, { from: '2026-10-03', to: '2026-10-10' }, defaultCampus);
  expect(full.map(({ first }) => first)).toEqual(['2026-10-05', '2026-10-06']);
  expect([...partly].map(([day, hours]) => `${day} ${hours.replaceAll('\u202F', ' ')}`)).toEqual([
    '2026-10-04 taken from 5:00 PM',
    '2026-10-07 taken until 10:00 AM',
    '2026-10-09 taken 9:00 AM to 11:00 AM',
  ]);
});

test('promise 119: every free time is offered as free', () => {
  expect(offer('pickup_time', '2026-10-10', '2026-10-11')).toHaveLength(97);
  const pickup = offer('pickup_time', '2026-10-07', '2026-10-08');
  expect([pickup[0], pickup[1], pickup.at(-1)]).toEqual(['Choose a time', '10:00', '23:45']);
  const returned = offer('return_time', '2026-10-02', '2026-10-04');
  expect([returned[0], returned[1], returned.at(-1)]).toEqual(['Choose a time', '00:15', '17:00']);
});

test('within one day the other time counts, too', () => {
  expect(offer('pickup_time', '2026-10-09', '2026-10-09', { return_time: '09:00' }).at(-1)).toBe('08:45');
  expect(offer('return_time', '2026-10-09', '2026-10-09', { pickup_time: '11:00' }).slice(0, 2)).toEqual([
    'Any time',
    '11:15',
  ]);
});

test('within one day, every free time is offered until the other one is chosen', () => {
  const day = { first_day: '2026-10-09', last_day: '2026-10-09' };
  const until10 = { ...day, return_time: '10:00' };
  const from17 = { ...day, pickup_time: '17:00' };
  const between = (periods: RentalPeriod[], times: { pickup_time?: string; return_time?: string } = {}) => {
    const gaps = { ...context, taken: periods };
    const list = (side: 'pickup_time' | 'return_time') => {
      const [first, ...options] = listRentalTimeOptions(side, { ...day, ...times }, gaps).map(
        ({ value, label }) => value || label,
      );
      return [first, options[0], options.at(-1), options.length];
    };
    return [list('pickup_time'), list('return_time'), Object.values(chooseRentalTimes(day, gaps))];
  };
  expect(between([until10, from17])).toEqual([
    ['Choose a time', '10:00', '16:45', 28],
    ['Choose a time', '10:15', '17:00', 28],
    ['10:00', '17:00'],
  ]);
  const morning = { ...day, pickup_time: '09:00', return_time: '11:00' };
  const afternoon = { ...day, pickup_time: '15:00', return_time: '17:00' };
  const [pickups, returns, chosen] = between([afternoon, morning]);
  expect(pickups).toEqual(['Choose a time', '00:00', '23:45', 80]);
  expect(returns).toEqual(['Choose a time', '00:15', '23:45', 79]);
  expect(chosen).toEqual(['', '09:00']);
  expect(between([afternoon, morning], { pickup_time: '11:00' })[1]).toEqual([
    'Choose a time',
    '11:15',
    '15:00',
    16,
  ]);
  expect(between([afternoon, morning], { pickup_time: '11:00', return_time: '15:00' })[0]).toEqual([
    'Choose a time',
    '11:00',
    '14:45',
    16,
  ]);
});

test('times that the clocks skip are not offered', () => {
  const times = offer('pickup_time', '2026-03-08', '2026-03-09');
  expect(times.filter((time) => time.startsWith('02'))).toEqual([]);
  expect(times).toHaveLength(93);
});

test('times that have passed are not offered', () => {
  // It is 12:00 on the campus.
  expect(offer('pickup_time', '2026-03-01', '2026-03-02').slice(0, 2)).toEqual(['Any time', '12:15']);
  expect(offer('return_time', '2026-03-01', '2026-03-01').slice(0, 2)).toEqual(['Any time', '12:15']);
});

test('a chosen time stays among the options when it has passed or was taken in the meantime', () => {
  expect(offer('pickup_time', '2026-03-01', '2026-03-02', { pickup_time: '11:45' }).slice(0, 3)).toEqual([
    'Any time',
    '11:45',
    '12:15',
  ]);
  expect(offer('return_time', '2026-10-02', '2026-10-04', { return_time: '18:00' }).slice(-2)).toEqual([
    '17:00',
    '18:00',
  ]);
});

test('chosen days begin and end when the item is free, at the earliest and at the latest', () => {
  const choose = (first_day: string, last_day: string) =>
    Object.values(chooseRentalTimes({ first_day, last_day }, context));
  expect(choose('2026-10-10', '2026-10-11')).toEqual(['', '']);
  expect(choose('2026-10-07', '2026-10-08')).toEqual(['10:00', '']);
  expect(choose('2026-10-02', '2026-10-04')).toEqual(['', '17:00']);
  expect(choose('2026-10-07', '2026-10-09')).toEqual(['10:00', '09:00']);
  expect(choose('2026-10-04', '2026-10-04')).toEqual(['', '17:00']);
  expect(choose('2026-10-09', '2026-10-09')).toEqual(['11:00', '']);
});

test('a time that somebody else has is explained by the time at which it is free', () => {
  const describe = (first_day: string, last_day: string, times = {}) =>
    describeTakenTime(taken, { first_day, last_day, ...times }, defaultCampus)?.replaceAll('\u202F', ' ');
  expect(describe('2026-10-10', '2026-10-11')).toBeUndefined();
  expect(
    describe('2026-10-07', '2026-10-09', { pickup_time: '10:00', return_time: '09:00' }),
  ).toBeUndefined();
  // Two rentals that touch are one.
  expect(describe('2026-10-05', '2026-10-08')).toBe('Somebody else has it until Oct 7, 10:00 AM');
  expect(describe('2026-10-08', '2026-10-10')).toBe('Somebody else has it from Oct 9, 9:00 AM');
});
