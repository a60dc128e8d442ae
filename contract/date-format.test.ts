import { expect, test } from 'vitest';
import { formatReturnDay } from './away.ts';
import { defaultCampus } from './campus.ts';
import { formatCampusTime, formatDay } from './deal-event-lines.ts';
import { formatRentalTime } from './rental-times.ts';
import { formatSuspensionEnd } from './suspensions.ts';

// Dates are in English sentences, with the order and the clock of the locale.
test.each([
  ['en-US', 'Mon, Nov 23, 5:30 PM', 'Nov 23', 'November 23', 'November 23, 2026 at 5:30 PM'],
  ['de-DE', 'Mon 23 Nov, 17:30', '23 Nov', '23 November', '23 November 2026 at 17:30'],
  ['ja-JP', 'Mon, Nov 23, 17:30', 'Nov 23', 'November 23', 'November 23, 2026 at 17:30'],
  ['fr-FR', 'Mon 23 Nov, 17:30', '23 Nov', '23 November', '23 November 2026 at 17:30'],
  ['ko-KR', 'Mon, Nov 23, 5:30 PM', 'Nov 23', 'November 23', 'November 23, 2026 at 5:30 PM'],
])('dates in %s are written as %s', (locale, time, day, longDay, end) => {
  const campus = { ...defaultCampus, locale, timezone: 'UTC' };
  const instant = new Date('2026-11-23T17:30:00Z');
  const texts = [
    formatCampusTime(instant.toISOString(), campus),
    formatDay('2026-11-23', campus),
    formatReturnDay('2026-11-23', campus),
    formatSuspensionEnd(instant, campus),
  ];
  expect(texts.map((text) => text.replaceAll('\u202f', ' '))).toEqual([time, day, longDay, end]);
});

test.each([
  ['en-US', 'Mon, Nov 23, 8:30 AM', '8:30 AM'],
  ['de-DE', 'Mon 23 Nov, 08:30', '08:30'],
  ['ja-JP', 'Mon, Nov 23, 08:30', '08:30'],
])('an hour of one digit in %s is written alike beside a day and alone', (locale, withDay, alone) => {
  const campus = { ...defaultCampus, locale, timezone: 'UTC' };
  const texts = [formatCampusTime('2026-11-23T08:30:00Z', campus), formatRentalTime('08:30', campus)];
  expect(texts.map((text) => text.replaceAll('\u202f', ' '))).toEqual([withDay, alone]);
});
