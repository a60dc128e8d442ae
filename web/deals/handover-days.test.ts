import { expect, test } from 'vitest';
import { getHandoverDayRange } from './handover-days.ts';

const campus = { timezone: 'America/Los_Angeles', locale: 'en-US' };
const sale = { kind: 'sale', first_day: null, last_day: null } as const;
const rental = { kind: 'rental', first_day: '2026-11-20', last_day: '2026-11-22' } as const;

test('a sale can be handed over up to exactly 14 days from now', () => {
  const now = new Date('2026-11-03T20:00:00Z');
  expect(getHandoverDayRange(sale, campus, now)).toEqual({
    first: '2026-11-03',
    last: '2026-11-17',
    latest: new Date('2026-11-17T20:00:00Z'),
  });
});

test('the 14 days are 14 times 24 hours, even if daylight-saving time ends during them', () => {
  // This instant is 11:30 PM on October 20 on campus; 14 times 24 hours later, it is 10:30 PM on November 3.
  const late = new Date('2026-10-21T06:30:00Z');
  expect(getHandoverDayRange(sale, campus, late)).toEqual({
    first: '2026-10-20',
    last: '2026-11-03',
    latest: new Date('2026-11-04T06:30:00Z'),
  });
  // This instant is 12:30 AM on October 21 on campus; 14 times 24 hours later, it is 11:30 PM on November 3.
  const early = new Date('2026-10-21T07:30:00Z');
  expect(getHandoverDayRange(sale, campus, early)).toEqual({
    first: '2026-10-21',
    last: '2026-11-03',
    latest: new Date('2026-11-04T07:30:00Z'),
  });
});

test.each([
  ['2026-11-03T20:00:00Z', '2026-11-19'],
  ['2026-11-20T20:00:00Z', '2026-11-20'],
])('at %s a rental can be handed over from %s to its first day', (now, first) => {
  expect(getHandoverDayRange(rental, campus, new Date(now))).toEqual({ first, last: '2026-11-20' });
});

test('a rental of one day is handed over after its time of pick-up and before its time of return', () => {
  const now = new Date('2026-11-20T17:00:00Z');
  const day = '2026-11-20';
  const times = { last_day: day, pickup_time: '10:00', return_time: '12:00' };
  expect(getHandoverDayRange({ ...rental, ...times }, campus, now)).toEqual({
    first: day,
    last: day,
    earliest: new Date('2026-11-20T18:00:00Z'),
    latest: new Date('2026-11-20T19:45:00Z'),
  });
  expect(getHandoverDayRange({ ...rental, return_time: '12:00' }, campus, now)).not.toHaveProperty('latest');
});
