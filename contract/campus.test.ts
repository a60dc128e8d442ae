import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultCampus,
  formatCampusEmailRequiredMessage,
  isCampusEmail,
  toCampusDay,
  toCanonicalEmail,
} from './campus.ts';

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

test.each([
  ['tommy@usc.edu', true],
  ['tommy@alumni.example', true],
  ['tommy@med.usc.edu', true],
  ['tommy@a.med.usc.edu', true],
  ['tommy@mail.alumni.example', false],
  ['tommy@xusc.edu', false],
  ['tommy@usc.edu.evil.example', false],
  ['tommy@usc.edu@evil.example', false],
  ['tommy@.usc.edu.evil.example', false],
  ['tommy@*.usc.edu.example', false],
  ['tommy@edu', false],
  ['med.usc.edu', false],
])('promise 114: with several domains, %s belongs to the campus: %s', (email, belongs) => {
  expect(isCampusEmail({ domain: 'usc.edu', otherDomains: ['alumni.example', '*.usc.edu'] }, email)).toBe(
    belongs,
  );
});

test('the error message for addresses outside the campus contains the domain of the campus', () => {
  expect(formatCampusEmailRequiredMessage(defaultCampus)).toBe('Only @usc.edu email addresses are allowed.');
});

test.each([
  ['tommy@usc.edu', 'plus', 'tommy@usc.edu'],
  ['tommy+1@usc.edu', 'plus', 'tommy@usc.edu'],
  ['tommy+a+b@usc.edu', 'plus', 'tommy@usc.edu'],
  ['t.ommy+1@usc.edu', 'plus', 't.ommy@usc.edu'],
  ['t.om.my+1@usc.edu', 'plus-and-dots', 'tommy@usc.edu'],
  ['tommy+1@usc.edu', 'none', 'tommy+1@usc.edu'],
  ['t.ommy+1@sub.usc.edu', 'plus-and-dots', 't.ommy@sub.usc.edu'],
  ['tommy+1@home.example', 'none', 'tommy@home.example'],
  ['+1@usc.edu', 'plus', '+1@usc.edu'],
  ['t.ommy+1@alumni.example', 'plus-and-dots', 'tommy@alumni.example'],
] as const)('the canonical address of %s is with the rule %s %s', (email, aliases, canonical) => {
  expect(
    toCanonicalEmail({ ...defaultCampus, otherDomains: ['alumni.example'], addressAliases: aliases }, email),
  ).toBe(canonical);
});
