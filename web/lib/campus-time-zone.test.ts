import { expect, test } from 'vitest';
import { findDifferingCampusTimeZoneName } from './campus-time-zone.ts';

test('names the campus time zone if the device would show one of the times differently', () => {
  const campus = { timezone: 'America/Los_Angeles', locale: 'en-US' };
  const [july, december] = ['2026-07-01T19:00:00.000Z', '2026-12-01T20:00:00.000Z'];
  expect(findDifferingCampusTimeZoneName(campus, [july, december], 'America/Los_Angeles')).toBeUndefined();
  // Phoenix does not observe daylight saving time, so its clocks match Pacific Time in July only.
  expect(findDifferingCampusTimeZoneName(campus, [july], 'America/Phoenix')).toBeUndefined();
  expect(findDifferingCampusTimeZoneName(campus, [july, december], 'America/Phoenix')).toBe('Pacific Time');
});
