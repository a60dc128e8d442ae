import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { formatConversationTime, formatDayLabel, formatMessageTime } from './times.ts';

const now = new Date(2026, 2, 4, 9, 30);
const toLocalInstant = (...parts: [number, number, number, number, number]) =>
  new Date(...parts).toISOString();

test.each([
  [toLocalInstant(2026, 2, 4, 8, 5), '8:05 AM'],
  [toLocalInstant(2026, 2, 4, 15, 0), '3:00 PM'],
  [toLocalInstant(2026, 2, 4, 0, 7), '12:07 AM'],
])('a message shows hour and two-digit minute', (instant, text) => {
  expect(formatMessageTime(instant, defaultCampus).replace(/\s/u, ' ')).toBe(text);
});

test.each([
  [toLocalInstant(2026, 2, 4, 0, 1), 'Today'],
  [toLocalInstant(2026, 2, 3, 23, 59), 'Yesterday'],
  [toLocalInstant(2026, 2, 2, 12, 0), 'Monday, March 2'],
  [toLocalInstant(2025, 11, 31, 12, 0), 'December 31, 2025'],
])('a day divider shows the day', (instant, text) =>
  expect(formatDayLabel(instant, now, defaultCampus)).toBe(text),
);

test.each([
  [toLocalInstant(2026, 2, 4, 9, 0), '9:00 AM'],
  [toLocalInstant(2026, 2, 3, 1, 0), 'Yesterday'],
  [toLocalInstant(2026, 0, 5, 1, 0), 'Jan 5'],
  [toLocalInstant(2025, 0, 5, 1, 0), 'Jan 5, 25'],
])('an inbox row shows the time or day of the last message', (instant, text) => {
  expect(
    formatConversationTime(instant, now, defaultCampus).replace(/\s/u, ' ').replace('9:00 AM', '9:00 AM'),
  ).toBe(text);
});
