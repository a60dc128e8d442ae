import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus, formatCampusEmailRequiredMessage, isCampusEmail, toCampusDay } from './campus.ts';

describe('the campus day', () => {
  test.each([
    ['2024-11-22T07:59:59Z', '2024-11-21'],
    ['2024-11-22T08:00:00Z', '2024-11-22'],
    ['2024-07-01T06:59:59Z', '2024-06-30'],
    ['2024-07-01T07:00:00Z', '2024-07-01'],
    ['2024-03-10T09:59:59Z', '2024-03-10'],
    ['2024-12-31T23:00:00Z', '2024-12-31'],
    ['2025-01-01T07:59:59Z', '2024-12-31'],
  ])('of %s is %s in Los Angeles', (instant, day) => {
    expect(toCampusDay(defaultCampus, new Date(instant))).toBe(day);
  });

  test('never goes back as time advances, and differs from the UTC day by at most one day', () => {
    const instants = fc.date({
      min: new Date('1990-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    const zones = fc.constantFrom('America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC');
    fc.assert(
      fc.property(instants, fc.nat(200_000_000), zones, (instant, ms, timezone) => {
        const day = toCampusDay({ timezone }, instant);
        expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(toCampusDay({ timezone }, new Date(instant.getTime() + ms)) >= day).toBe(true);
        expect(
          Math.abs(Date.parse(day) - Date.parse(instant.toISOString().slice(0, 10))),
        ).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });
});

test.each([
  ['tommy@usc.edu', true],
  ['tommy@sub.usc.edu', false],
  ['tommy@notusc.edu', false],
  ['tommy@usc.edu.example', false],
  ['usc.edu', false],
])('the email address %s belongs to the campus: %s', (email, belongs) => {
  expect(isCampusEmail(defaultCampus, email)).toBe(belongs);
});

test('the error message for addresses outside the campus contains the domain of the campus', () => {
  expect(formatCampusEmailRequiredMessage(defaultCampus)).toBe('Only @usc.edu email addresses are allowed.');
});
