import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { buildMapUrl, findSpotWarning, isAfterDark, listSpotFacts } from './meeting-spots.ts';

test('it is dark from 19:00 to 7:00 campus time, even when the clocks change', () => {
  const isDark = (instant: string) => isAfterDark(new Date(instant), defaultCampus);
  // The evening of October 31, in daylight saving time (UTC-7)
  expect(isDark('2026-11-01T01:59:00Z')).toBe(false);
  expect(isDark('2026-11-01T02:00:00Z')).toBe(true);
  // The morning and evening of November 1, in standard time (UTC-8)
  expect(isDark('2026-11-01T14:59:00Z')).toBe(true);
  expect(isDark('2026-11-01T15:00:00Z')).toBe(false);
  expect(isDark('2026-11-02T02:59:00Z')).toBe(false);
  expect(isDark('2026-11-02T03:00:00Z')).toBe(true);
  // Midnight on the campus
  expect(isDark('2026-11-02T08:00:00Z')).toBe(true);
});

test('only a spot that is known to be unlit has a warning, and only after dark', () => {
  const evening = new Date('2026-11-23T04:00:00Z');
  const noon = new Date('2026-11-23T20:00:00Z');
  expect(findSpotWarning({ is_lit: false }, evening, defaultCampus)).toBe('This spot is not lit after dark.');
  expect(findSpotWarning({ is_lit: false }, noon, defaultCampus)).toBeUndefined();
  expect(findSpotWarning({ is_lit: null }, evening, defaultCampus)).toBeUndefined();
  expect(findSpotWarning({ is_lit: true }, evening, defaultCampus)).toBeUndefined();
});

test('the facts of a spot omit unknown properties', () => {
  const unknown = { is_indoors: null, is_lit: null, has_camera_or_phone: null, opening_hours: null };
  expect(listSpotFacts(unknown)).toEqual([]);
  expect(
    listSpotFacts({
      is_indoors: false,
      is_lit: true,
      has_camera_or_phone: false,
      opening_hours: '8:00 to 22:00',
    }),
  ).toEqual(['Outdoors', 'Lit at night', 'No camera or emergency phone nearby', 'Open 8:00 to 22:00']);
});

test('a map link opens the maps app of phones, and OpenStreetMap elsewhere', () => {
  const build = (userAgent: string) => buildMapUrl('Tommy Trojan', defaultCampus, userAgent);
  const query = 'Tommy%20Trojan%2C%20University%20of%20Southern%20California';
  expect(build('Mozilla/5.0 (Linux; Android 15; Pixel 9)')).toBe(`geo:0,0?q=${query}`);
  expect(build('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe(
    `https://maps.apple.com/?q=${query}`,
  );
  expect(build('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe(
    `https://www.openstreetmap.org/search?query=${query}`,
  );
});
