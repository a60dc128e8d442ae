import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { DealKind, DealParty } from '#contract/deal-states.ts';
import { getOfferNoun } from '#contract/deal-status.ts';
import { type DealTransitionName, dealDurationSeconds } from '#contract/deal-transitions.ts';
import { chooseHoldAdvice, findHoldLimit, inReviewAdvice } from '#contract/hold-limits.ts';
import { formatRentalEnd, formatRentalStart } from '#contract/rental-times.ts';
import { hourInSeconds } from '#server/platform/clock.ts';
import { type EmailContent, safetyAdvice, toOneLine } from './email-layout.ts';

/** Reminders, warnings and questions that parties get about their deals. */
export type DealNoticeKind =
  | 'offer_ending'
  | 'hold_ending'
  | 'handover_day'
  | 'handover_hour'
  | 'did_you_meet'
  | 'overdue'
  | 'item_not_back';

/**
 * Returns whether a notice warns about a deadline. The setting for emails about messages also applies to
 * these warnings.
 */
export const isDeadlineWarning = (kind: DealNoticeKind): boolean =>
  kind === 'offer_ending' || kind === 'hold_ending';

/** Maximum number of deals shown in an email. If there are more, the email states only how many. */
const maxShownDeals = 10;

/**
 * A notice, and the facts about its deal that the email states. The facts are read when the email is sent.
 */
export interface DealNoticeFacts {
  kind: DealNoticeKind;
  dealKind: DealKind;
  /** The party of the deal that receives the email. */
  reader: DealParty;
  otherName: string;
  title: string;
  conversationId: string;
  /** When the offer or the hold ends. All times here are in ISO 8601. */
  deadline: string | null;
  /** The agreed time and place to meet. */
  time: string | null;
  place: string | null;
  /** First and last day of a rental (YYYY-MM-DD). */
  firstDay: string | null;
  lastDay: string | null;
  /** When the rental begins and ends on these days (HH:MM on campus); null for whole days. */
  pickupTime?: string | null;
  returnTime?: string | null;
  /**
   * For how many hours the recipient, as the seller, can keep the item on hold, or null if the recipient
   * cannot put it on hold.
   */
  longerHoldHours: number | null;
  /** The transitions that the recipient can make now. */
  transitions: DealTransitionName[];
}

export interface DealNoticeDigest {
  readerName: string;
  /** The email's notices, of which there is at least one. */
  notices: DealNoticeFacts[];
}

interface Context {
  campus: Campus;
  publicUrl: string;
}

interface NoticeText {
  subject: string;
  paragraphs: string[];
  label: string;
  after: string[];
}

const listHoldAnswers = ({ transitions, longerHoldHours }: DealNoticeFacts): string[] => [
  ...(transitions.includes('agreed_in_chat')
    ? [
        `Did you already agree? Tap "We agreed in chat" in the conversation, and the hold lasts ${dealDurationSeconds.holdAgreedInChat / hourInSeconds} hours longer.`,
      ]
    : []),
  ...(longerHoldHours === null
    ? []
    : [`Tap "Keep it on hold" to keep the item for them for ${longerHoldHours} more hours.`]),
];

const describeHoldEnd = (transitions: DealTransitionName[]): string =>
  chooseHoldAdvice(transitions, {
    usual: 'Agree on a time and a place to meet before then, or the hold ends.',
    withoutSuggestion: 'Agree in the chat and confirm the handover before then, or the hold ends.',
  });

const describeMeetingAnswers = (transitions: DealTransitionName[]): string =>
  chooseHoldAdvice(transitions, {
    usual: 'Say so, suggest a new time, or cancel.',
    withoutSuggestion: 'Say so, or cancel.',
  });

const describeHandoverAnswers = (transitions: DealTransitionName[]): string =>
  chooseHoldAdvice(transitions, {
    usual: "If you can't come, suggest another time, or cancel at least two hours before.",
    withoutSuggestion: "If you can't come, cancel at least two hours before.",
  });

type Writer = (
  notice: DealNoticeFacts,
  words: Record<'deadline' | 'when' | 'siteTime' | 'firstDay' | 'lastDay', string>,
) => NoticeText;

const remindRenter: Writer = ({ title, otherName, transitions }, { lastDay }) => ({
  subject: `"${title}" was due back on ${lastDay}`,
  paragraphs: [
    `your rental of "${title}" ended on ${lastDay}. Please bring it back to ${otherName}${transitions.includes('extend') ? ', or ask to keep it longer' : ''}.`,
  ],
  label: 'Open the conversation',
  after: [
    `If it is back already, tap ${transitions.includes('received') ? '"I have it" and then ' : ''}"Returned" in the conversation.`,
    ...(transitions.includes('object')
      ? ['If you never got it, tap "This didn’t happen" in the conversation.']
      : []),
  ],
});

const remindOwner: Writer = ({ title, otherName, transitions }, { lastDay }) => ({
  subject: `"${title}" is not back yet`,
  paragraphs: [`the rental of "${title}" by ${otherName} ended on ${lastDay}. We remind ${otherName}, too.`],
  label: 'Open the conversation',
  after: [
    ...(transitions.includes('returned')
      ? ['If you have it back, tap "It’s back" in the conversation.']
      : []),
    ...(transitions.includes('propose_extra_price')
      ? ['There you can also propose a price for the extra days. You two settle it: Quad charges nothing.']
      : []),
  ],
});

const writers: Record<DealNoticeKind, Writer> = {
  offer_ending: ({ title, otherName, dealKind }, { deadline }) => {
    const offer = getOfferNoun({ kind: dealKind });
    return {
      subject: `The ${offer} for "${title}" expires ${deadline}`,
      paragraphs: [
        `${otherName} is waiting for your answer about "${title}". Without one the ${offer} expires ${deadline}.`,
      ],
      label: 'Answer',
      after: [],
    };
  },
  hold_ending: (notice, { deadline }) => ({
    subject: `The hold on "${notice.title}" ends ${deadline}`,
    paragraphs: notice.time
      ? [
          `nobody has confirmed the handover of "${notice.title}" yet. Without an answer the deal with ${notice.otherName} ends ${deadline}.`,
        ]
      : [
          `"${notice.title}" is on hold for ${notice.reader === 'buyer' ? 'you' : notice.otherName} until ${deadline}. ${describeHoldEnd(notice.transitions)}`,
          ...listHoldAnswers(notice),
        ],
    label: 'Answer',
    after: [],
  }),
  handover_day: ({ title, otherName, place, reader, transitions }, { when, siteTime }) => ({
    subject: `Reminder: handover of "${title}", ${when}`,
    paragraphs: [
      `you are going to ${reader === 'seller' ? 'hand over' : 'pick up'} "${title}". You meet ${otherName} on ${when} (${siteTime}): ${place}.`,
    ],
    label: 'Open the conversation',
    after: [describeHandoverAnswers(transitions), safetyAdvice],
  }),
  handover_hour: ({ title, otherName, place, transitions }, { when, siteTime }) => ({
    subject: `Soon: handover of "${title}", ${when}`,
    paragraphs: [`you meet ${otherName} about "${title}" on ${when} (${siteTime}): ${place}.`],
    label: 'Open the conversation',
    after: [
      findHoldLimit(transitions) === 'in_review'
        ? inReviewAdvice
        : 'In the conversation you can tell that you are there, or running late.',
      safetyAdvice,
    ],
  }),
  did_you_meet: ({ title, otherName, reader, transitions }, { when, deadline }) => ({
    subject: `Did you meet ${otherName} about "${title}"?`,
    paragraphs: [
      `you wanted to meet ${otherName} on ${when}. ${reader === 'seller' ? 'Did you hand it over' : 'Do you have it'}? ${describeMeetingAnswers(transitions)}`,
    ],
    label: 'Answer',
    after: [`Without an answer the deal ends ${deadline}.`],
  }),
  overdue: (notice, words) => (notice.reader === 'buyer' ? remindRenter : remindOwner)(notice, words),
  item_not_back: ({ title, otherName }, { firstDay }) => ({
    subject: `"${title}" is not back yet`,
    paragraphs: [
      `your rental of "${title}" begins on ${firstDay}, but the person who has it now has not returned it. Ask ${otherName} when you can get it.`,
    ],
    label: 'Open the conversation',
    after: ['You can also cancel. This does not count on your profile.'],
  }),
};

const writeNotice = (notice: DealNoticeFacts, { campus }: Context): NoticeText => {
  const format = (instant: string | null) => (instant ? formatCampusTime(instant, campus) : '');
  const facts = {
    ...notice,
    otherName: toOneLine(notice.otherName),
    title: toOneLine(notice.title),
    place: notice.place && toOneLine(notice.place),
  };
  return writers[notice.kind](facts, {
    deadline: format(notice.deadline),
    when: format(notice.time),
    siteTime: `${campus.shortName} time`,
    firstDay: formatRentalStart({ first_day: notice.firstDay, pickup_time: notice.pickupTime }, campus),
    lastDay: formatRentalEnd({ last_day: notice.lastDay, return_time: notice.returnTime }, campus),
  });
};

const buildLink = (notice: DealNoticeFacts, { publicUrl }: Context): string =>
  `${publicUrl}${buildConversationPath(notice.conversationId)}`;

/** Returns a notice as a title and a short text, for channels other than email. */
export const summarizeDealNotice = (
  notice: DealNoticeFacts,
  context: Context,
): { title: string; text: string } => {
  const { subject, paragraphs } = writeNotice(notice, context);
  const [first = ''] = paragraphs;
  return { title: subject, text: `${first.charAt(0).toUpperCase()}${first.slice(1)}` };
};

/**
 * Returns the content of the email that contains the reminders, warnings and questions about a person's
 * deals.
 */
export const renderDealNoticeContent = (
  { readerName, notices }: DealNoticeDigest,
  context: Context,
): EmailContent => {
  const greeting = `Hi ${toOneLine(readerName)},`;
  const [only] = notices;
  if (only && notices.length === 1) {
    const { subject, paragraphs, label, after } = writeNotice(only, context);
    return {
      subject,
      before: [greeting, ...paragraphs],
      highlight: { label, url: buildLink(only, context) },
      after,
    };
  }
  const more = notices.length - maxShownDeals;
  return {
    subject: `${notices.length} deals are waiting for an answer`,
    before: [greeting, 'these deals end soon if nobody answers:'],
    threads: notices.slice(0, maxShownDeals).map((notice) => {
      const { subject, label } = writeNotice(notice, context);
      return {
        name: toOneLine(notice.otherName),
        about: toOneLine(notice.title),
        summary: subject,
        quotes: [],
        link: { label, url: buildLink(notice, context) },
      };
    }),
    ...(more > 0 ? { highlight: { label: `See ${more} more`, url: `${context.publicUrl}/messages` } } : {}),
    after: [],
  };
};
