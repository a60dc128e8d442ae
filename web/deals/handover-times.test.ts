import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatBriefHandoverTime, formatHandoverDay, formatHandoverTime } from './handover-times.ts';

// Sunday, November 29, 1 AM on the campus.
const now = new Date('2026-11-29T09:00:00.000Z');

test.each([
  ['2026-11-29T15:00:00.000Z', 'Today', 'Today 7:00 AM', 'Today 7 AM'],
  // Already November 30 in UTC.
  ['2026-11-30T07:45:00.000Z', 'Today', 'Today 11:45 PM', 'Today 11:45 PM'],
  ['2026-11-30T20:00:00.000Z', 'Tomorrow', 'Tomorrow 12:00 PM', 'Tomorrow 12 PM'],
  ['2026-12-05T20:00:00.000Z', 'Saturday, December 5', 'Sat, Dec 5, 12:00 PM', 'Sat 12 PM'],
  ['2026-12-06T20:30:00.000Z', 'Sunday, December 6', 'Sun, Dec 6, 12:30 PM', 'Dec 6, 12:30 PM'],
  ['2026-11-29T07:00:00.000Z', 'Saturday, November 28', 'Sat, Nov 28, 11:00 PM', 'Nov 28, 11 PM'],
])('%s on the campus is %s, %s or briefly %s', (instant, day, time, brief) => {
  expect(formatHandoverDay(instant, defaultCampus, now)).toBe(day);
  expect(formatHandoverTime(instant, defaultCampus, now)).toBe(time);
  expect(formatBriefHandoverTime(instant, defaultCampus, now)).toBe(brief);
});
