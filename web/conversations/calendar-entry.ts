import type { CampusTimeZone } from '#contract/campus.ts';
import { toCampusInstant } from '#web/deals/public.ts';
import { saveDownloadedFile } from '#web/lib/download.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { toast } from '#web/ui/toast.ts';
import type { CampusMoment } from './message-details.ts';

const durationMs = 60 * 60_000;
const maxTitleLength = 100;

const toUtcTime = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d+/g, '');

/** Escapes a text for an iCalendar file and folds its line (RFC 5545, 3.1 and 3.3.11). */
const toTextLine = (name: string, text: string): string => {
  const escaped = text.replace(/\s+/g, ' ').replace(/[\\,;]/g, String.raw`\$&`);
  return [`${name}:`, ...escaped].reduce((line, character) => {
    const lastLine = line.slice(line.lastIndexOf('\r\n') + 1);
    const isFull = new TextEncoder().encode(lastLine + character).length > 74;
    return `${line}${isFull ? '\r\n ' : ''}${character}`;
  });
};

/** Returns an iCalendar file with an entry of one hour, whose title is the beginning of a message. */
export const renderCalendarEntry = (
  text: string,
  { day, time }: CampusMoment,
  campus: CampusTimeZone,
): string => {
  const start = new Date(toCampusInstant(day, time, campus));
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Quad//Messages//EN',
    'BEGIN:VEVENT',
    `UID:${createUuid()}`,
    `DTSTAMP:${toUtcTime(new Date())}`,
    `DTSTART:${toUtcTime(start)}`,
    `DTEND:${toUtcTime(new Date(start.getTime() + durationMs))}`,
    toTextLine('SUMMARY', [...text].slice(0, maxTitleLength).join('')),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
};

/** Downloads a calendar entry for a day and time that a message names. */
export const downloadCalendarEntry = (text: string, moment: CampusMoment, campus: CampusTimeZone): void => {
  const content = new Blob([renderCalendarEntry(text, moment, campus)], { type: 'text/calendar' });
  saveDownloadedFile({ name: 'message.ics', content });
  toast.success('Calendar file downloaded');
};
