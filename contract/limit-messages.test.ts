import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatFewMinutesMessage,
  formatTooManyRequestsMessage,
  formatWaitingTime,
} from './limit-messages.ts';

test.each([
  [1, '1 minute'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [690, '12 minutes'],
  [5400, '90 minutes'],
  [5401, '2 hours'],
  [86_400, '24 hours'],
])('a wait of %i s is %s', (seconds, text) => expect(formatWaitingTime(seconds)).toBe(text));

test('the stated wait is never shorter than the actual wait', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 * 86_400 }), (seconds) => {
      const [, count, unit] = /^(\d+) (minute|hour)s?$/.exec(formatWaitingTime(seconds)) ?? [];
      const stated = Number(count) * (unit === 'hour' ? 3600 : 60);
      expect(stated).toBeGreaterThanOrEqual(seconds);
      expect(stated - seconds).toBeLessThan(unit === 'hour' ? 3600 : 60);
    }),
  );
});

test('the rate limit message states how long to wait and gives the support address', () => {
  expect(formatTooManyRequestsMessage(690, { supportEmail: 'help@campus.example' })).toBe(
    'Too many requests. Try again in 12 minutes, or write to help@campus.example.',
  );
});

test('"a few minutes" means at most 15 minutes', () => {
  expect(formatFewMinutesMessage(900)).toBe('Too many requests. Try again in a few minutes.');
  expect(formatFewMinutesMessage(901)).toBeUndefined();
});
