import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';

/** Duration of a handover in calendars, in minutes. */
const handoverMinutes = 30;

export interface CalendarHandover {
  dealId: string;
  conversationId: string;
  title: string;
  place: string;
  landmark: string | null;
  time: Date;
  /** Number of changes so far. A calendar replaces its entry with one that has a higher number. */
  sequence: number;
  isCancelled: boolean;
  changedAt: Date;
}

/**
 * Returns an iCalendar file (RFC 5545) with the handovers. An entry keeps its UID through changes and cancellation, and
 * its times are in UTC, so that calendars show them correctly in every time zone and across daylight-saving changes.
 */
export const renderCalendar = (
  handovers: readonly CalendarHandover[],
  { campus, publicUrl }: { campus: Pick<Campus, 'name' | 'siteName'>; publicUrl: string },
): string => {
  const calendar = ical({
    prodId: { company: campus.siteName, product: 'Handovers', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  });
  for (const {
    dealId,
    conversationId,
    title,
    place,
    landmark,
    time,
    sequence,
    isCancelled,
    changedAt,
  } of handovers)
    calendar.createEvent({
      id: `deal-${dealId}@${new URL(publicUrl).hostname}`,
      sequence,
      stamp: changedAt,
      start: time,
      end: new Date(time.getTime() + handoverMinutes * 60_000),
      summary: `Handover: ${title}`,
      location: [place, landmark, campus.name].filter(Boolean).join(', '),
      url: `${publicUrl}${buildConversationPath(conversationId)}`,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  return calendar.toString();
};
