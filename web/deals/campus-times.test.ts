import { expect, test } from 'vitest';
import { listDayOptions, listTimeOptions, toCampusInstant } from './campus-times.ts';

const campus = { timezone: 'America/Los_Angeles', locale: 'en-US' };

test.each([
  ['2026-07-01', '14:15', '2026-07-01T21:15:00.000Z'],
  ['2026-12-01', '14:15', '2026-12-01T22:15:00.000Z'],
  // Daylight-saving time ends on this day, at two in the morning.
  ['2026-11-01', '00:30', '2026-11-01T07:30:00.000Z'],
  ['2026-11-01', '12:00', '2026-11-01T20:00:00.000Z'],
  // Daylight-saving time begins on this day, at two in the morning.
  ['2026-03-08', '01:45', '2026-03-08T09:45:00.000Z'],
  ['2026-03-08', '03:00', '2026-03-08T10:00:00.000Z'],
])('converts %s %s on the campus to an instant', (day, time, instant) => {
  expect(toCampusInstant(day, time, campus)).toBe(instant);
});

test.each([
  ['America/Los_Angeles', '2026-03-08', '02:30', '2026-03-08T10:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
])('a time that is skipped by the clocks in %s counts as one hour later', (timezone, day, time, instant) => {
  expect(toCampusInstant(day, time, { timezone })).toBe(instant);
});

test.each([
  ['America/Los_Angeles', '2026-11-01', '01:30', '2026-11-01T08:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
])('a time that occurs twice in %s counts as the first occurrence', (timezone, day, time, instant) => {
  expect(toCampusInstant(day, time, { timezone })).toBe(instant);
});

test('labels today and tomorrow as such, and other days by date', () => {
  const now = new Date('2026-11-23T06:00:00.000Z');
  expect(listDayOptions('2026-11-22', '2026-11-24', campus, now)).toEqual([
    { value: '2026-11-22', label: 'Today' },
    { value: '2026-11-23', label: 'Tomorrow' },
    { value: '2026-11-24', label: 'Tue, Nov 24' },
  ]);
});

test('offers every quarter hour of a later day once, in chronological order', () => {
  const options = listTimeOptions('2026-11-23', campus, new Date('2026-11-22T20:00:00.000Z'));
  const values = options.map(({ value }) => value);
  expect(values).toEqual([...new Set(values)].sort());
  expect(values).toHaveLength(96);
  expect([options[0], options.at(-1)]).toEqual([
    { value: '00:00', label: '12:00 AM' },
    { value: '23:45', label: '11:45 PM' },
  ]);
});

test.each([
  ['2026-11-22T21:59:00.000Z', '14:00', 40],
  ['2026-11-22T22:00:00.000Z', '14:15', 39],
  ['2026-11-22T08:00:00.000Z', '00:15', 95],
  ['2026-11-23T07:45:00.000Z', undefined, 0],
])('offers only later times of the same day at %s', (now, first, count) => {
  const options = listTimeOptions('2026-11-22', campus, new Date(now));
  expect([options[0]?.value, options.length]).toEqual([first, count]);
});

test('offers no times of a past day', () => {
  expect(listTimeOptions('2026-11-21', campus, new Date('2026-11-22T20:00:00.000Z'))).toEqual([]);
});

test.each([
  ['2026-12-05', '23:45', 96],
  ['2026-12-06', '14:00', 57],
  ['2026-12-07', undefined, 0],
])('offers times on %s only up to the latest allowed time', (day, last, count) => {
  const [now, latest] = [new Date('2026-11-22T22:05:00.000Z'), new Date('2026-12-06T22:05:00.000Z')];
  const options = listTimeOptions(day, campus, now, { latest });
  expect([options.at(-1)?.value, options.length]).toEqual([last, count]);
});

test('offers the latest allowed time if it is a quarter hour', () => {
  const latest = new Date('2026-12-06T22:15:00.000Z');
  expect(
    listTimeOptions('2026-12-06', campus, new Date('2026-11-22T22:15:00.000Z'), { latest }).at(-1)?.value,
  ).toBe('14:15');
});
