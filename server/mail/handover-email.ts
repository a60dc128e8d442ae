import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { type EmailContent, safetyAdvice, toOneLine } from './email-layout.ts';

/** How the agreement about a handover changed. */
export type HandoverChange = 'agreed' | 'changed' | 'cancelled';

interface HandoverMail {
  readerName: string;
  otherName: string;
  /** The party that receives the email. */
  reader: DealParty;
  news: HandoverChange;
  /** Title of the listing. */
  title: string;
  place: string;
  /** Absent in emails that an earlier version queued. */
  landmark?: string | null;
  terms?: string;
  time: string;
  conversationId: string;
  /** Content of the iCalendar file to attach. */
  calendar: string;
}

/** Returns the content of the email about a handover. Recipients cannot unsubscribe from these emails. */
export const renderHandoverContent = (
  { news, reader, time, conversationId, ...texts }: HandoverMail,
  { campus, publicUrl }: { campus: Campus; publicUrl: string },
): EmailContent => {
  const when = formatCampusTime(time, campus);
  const title = toOneLine(texts.title);
  const place = [texts.place, texts.landmark]
    .filter((text) => text != null)
    .map(toOneLine)
    .join(', ');
  const meeting = `${toOneLine(texts.otherName)} on ${when} (${campus.shortName} time): ${place}`;
  const price = texts.terms ? [`The price is ${texts.terms}.`] : [];
  const link = {
    label: 'Open the conversation',
    url: `${publicUrl}${buildConversationPath(conversationId)}`,
  };
  const greeting = `Hi ${toOneLine(texts.readerName)},`;
  switch (news) {
    case 'agreed':
      return {
        subject: `Handover of "${title}": ${when}`,
        before: [
          greeting,
          `you are going to ${reader === 'seller' ? 'hand over' : 'pick up'} "${title}". You meet ${meeting}.`,
          ...price,
        ],
        highlight: link,
        after: ['The attached file adds it to your calendar.', safetyAdvice],
      };
    case 'changed':
      return {
        subject: `New time for the handover of "${title}": ${when}`,
        before: [greeting, `the handover of "${title}" has changed. You now meet ${meeting}.`, ...price],
        highlight: link,
        after: ['To change it in your calendar, add the attached file again.', safetyAdvice],
      };
    case 'cancelled':
      return {
        subject: `The handover of "${title}" is cancelled`,
        before: [greeting, `the handover of "${title}" is cancelled. You do not meet ${meeting}.`],
        highlight: link,
        after: ['To cancel it in your calendar too, add the attached file.'],
      };
  }
};
