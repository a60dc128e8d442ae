import { expect, test } from 'vitest';
import { formatTimeLeft } from './countdown.tsx';

const now = new Date('2026-11-22T12:00:00.000Z');

test.each([
  ['2026-11-23T16:20:00.000Z', '1 d 4 h left'],
  ['2026-11-24T12:00:00.000Z', '2 d left'],
  ['2026-11-22T15:12:30.000Z', '3 h 12 min left'],
  ['2026-11-22T14:00:00.000Z', '2 h left'],
  ['2026-11-22T12:12:00.000Z', '12 min left'],
  ['2026-11-22T12:00:30.000Z', 'Less than a minute left'],
  ['2026-11-22T11:59:59.000Z', 'Time is up'],
])('formats the time until %s as %s', (until, text) => {
  expect(formatTimeLeft(until, now)).toBe(text);
});
