import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { computeDeadline, postponeToMorning } from './deadlines.ts';

const facts = { hold_hours: 48, first_day: null, deadline_at: null, handover_at: null };
const at = (instant: string) => new Date(instant);
const move = (instant: string) => postponeToMorning(at(instant), defaultCampus).toISOString();

describe('promise 66: no deadline falls between 22:00 and 9:00 in the campus time zone', () => {
  test.each([
    ['in the day', '2026-03-02T18:00:00.000Z', '2026-03-02T18:00:00.000Z'],
    ['just before 22:00', '2026-03-03T05:59:59.999Z', '2026-03-03T05:59:59.999Z'],
    ['at 22:00', '2026-03-03T06:00:00.000Z', '2026-03-03T17:00:00.000Z'],
    ['after midnight', '2026-03-03T09:00:00.000Z', '2026-03-03T17:00:00.000Z'],
    ['at 9:00', '2026-03-03T17:00:00.000Z', '2026-03-03T17:00:00.000Z'],
    ['in the night in which clocks go forward', '2026-03-08T07:30:00.000Z', '2026-03-08T16:00:00.000Z'],
    ['in the night in which clocks go back', '2026-11-01T07:30:00.000Z', '2026-11-01T17:00:00.000Z'],
  ])('%s', (_name, instant, expected) => {
    expect(move(instant)).toBe(expected);
  });

  test('whatever the instant and the time zone', () => {
    const zones = ['America/Los_Angeles', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC'];
    const instants = fc.date({ min: at('2025-01-01'), max: at('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, timezone) => {
        const moved = postponeToMorning(instant, { timezone });
        const hour = Number(
          new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit' }).format(moved),
        );
        expect(hour >= 9 && hour < 22).toBe(true);
        const hours = (moved.getTime() - instant.getTime()) / 3_600_000;
        expect(hours >= 0 && hours <= 12.5).toBe(true);
      }),
    );
  });
});

describe('a deadline', () => {
  const now = at('2026-03-02T18:00:00.000Z');
  const compute = (
    rule: Parameters<typeof computeDeadline>[0],
    changes: Partial<typeof facts> | object = {},
  ) => computeDeadline(rule, { ...facts, ...changes }, now, defaultCampus)?.toISOString() ?? null;

  test.each([
    [undefined, {}, null],
    ['answer', {}, '2026-03-04T18:00:00.000Z'],
    ['confirm', {}, '2026-03-04T18:00:00.000Z'],
    ['hold', { hold_hours: 24 }, '2026-03-03T18:00:00.000Z'],
    ['unchanged', { deadline_at: at('2026-03-03T20:00:00.000Z') }, '2026-03-03T20:00:00.000Z'],
    ['longer_hold', { deadline_at: at('2026-03-03T20:00:00.000Z') }, '2026-03-05T20:00:00.000Z'],
    ['agreed_in_chat', { deadline_at: at('2026-03-03T20:00:00.000Z') }, '2026-03-06T20:00:00.000Z'],
    ['handover', { handover_at: at('2026-03-03T20:00:00.000Z') }, '2026-03-06T20:00:00.000Z'],
    ['reopened_hold', {}, '2026-03-04T18:00:00.000Z'],
    ['reopened_hold', { handover_at: at('2026-03-10T19:00:00.000Z') }, '2026-03-13T19:00:00.000Z'],
    ['reopened_hold', { handover_at: at('2026-03-01T19:00:00.000Z') }, '2026-03-04T19:00:00.000Z'],
    ['reopened_hold', { first_day: '2026-03-10' }, '2026-03-10T01:00:00.000Z'],
  ] as const)('of the rule %s is counted from the right instant', (rule, changes, expected) => {
    expect(compute(rule, changes)).toBe(expected);
  });

  test('of a rental’s hold never falls before 18:00 on the day before the first day, even when clocks change', () => {
    expect(compute('hold', { first_day: '2026-03-03' })).toBe('2026-03-04T18:00:00.000Z');
    expect(compute('hold', { first_day: '2026-03-08' })).toBe('2026-03-08T02:00:00.000Z');
    expect(compute('hold', { first_day: '2026-03-10' })).toBe('2026-03-10T01:00:00.000Z');
  });
});
