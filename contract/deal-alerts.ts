import { type CampusFormats, toCampusDay } from './campus.ts';
import { addDays } from './days.ts';
import { formatDay } from './deal-event-lines.ts';
import type { DealParty } from './deal-states.ts';
import { describeProposedPrice, listAgreedExtraPrice } from './deal-status.ts';
import { dealDurationSeconds, overdueReminderDays } from './deal-transitions.ts';
import type { Deal } from './deals.ts';
import { chooseHoldAdvice, findHoldLimit, inReviewAdvice } from './hold-limits.ts';
import { isRentalOver, toCampusMinute } from './rental-times.ts';
import { isolateDirection } from './text-direction.ts';

/**
 * A notice that the page shows to a party of a deal. The party gets the same notice by email at the same
 * time.
 */
export interface DealAlert {
  title: string;
  text: string;
  /** Whether the rental has been overdue long enough for both parties to report it. */
  canReport: boolean;
}

/**
 * Returns whether to ask both parties if they met. They are asked from three hours after the agreed time on,
 * while the deal is still on hold.
 */
export const isMeetingQuestionDue = (
  { state, handover }: Pick<Deal, 'state' | 'handover'>,
  now: Date,
): boolean =>
  state === 'held' &&
  Boolean(handover?.time) &&
  now.getTime() >= Date.parse(handover?.time ?? '') + dealDurationSeconds.questionAfterHandover * 1000;

const isHoldEnding = ({ state, deadline_at: deadline }: Deal, now: Date): boolean =>
  state === 'held' &&
  deadline !== null &&
  now.getTime() >= Date.parse(deadline) - dealDurationSeconds.warningBeforeHoldEnds * 1000;

const describeMeetingAnswers = ({ transitions }: Deal): string =>
  chooseHoldAdvice(transitions, {
    usual: 'Confirm that it’s done, suggest a new time, or cancel.',
    withoutSuggestion: 'Confirm that it’s done, or cancel.',
  });

const describeHoldAnswers = ({ transitions, handover }: Deal): string => {
  const limit = findHoldLimit(transitions);
  if (limit === 'in_review') return inReviewAdvice;
  const answers = [
    ...(transitions.includes('agreed_in_chat')
      ? [
          `If you already agreed in chat, say so, and it lasts ${dealDurationSeconds.holdAgreedInChat / 3600} hours longer.`,
        ]
      : []),
    ...(transitions.includes('keep_hold') ? ['You can also keep it on hold longer.'] : []),
  ];
  const advice = limit ? 'Confirm the handover when it is done.' : 'Suggest a time and a place to meet.';
  return answers.join(' ') || (handover?.agreed ? 'Say how the handover went.' : advice);
};

// This notice does not name the day on which the rental was due, because the sentence above the notice
// (deal-status.ts) already does.
const describeOverdue = (
  deal: Deal,
  {
    lastDay,
    party,
    name,
    today,
    campus,
  }: { lastDay: string; party: DealParty; name: string; today: string; campus: CampusFormats },
): DealAlert => {
  const { state, transitions } = deal;
  const firstReportDay = addDays(lastDay, overdueReminderDays + 1);
  const canReport = today >= firstReportDay;
  // Before the renter has confirmed the handover, they can object to it, and cannot ask to keep the item longer.
  const advice =
    state === 'out'
      ? 'Please return it, or ask to keep it longer.'
      : 'Please return it, or say that you never got it.';
  const proposed = deal.requested_extra_price;
  const extraPrice =
    proposed === undefined
      ? listAgreedExtraPrice(deal, campus)
      : [describeProposedPrice(proposed, party, { name, campus })];
  const proposal =
    transitions.includes('propose_extra_price') && extraPrice.length === 0
      ? ['You can propose a price for the extra days.']
      : [];
  const request = party === 'buyer' ? [advice] : proposal;
  const report = canReport ? ['If you can’t agree, report it.'] : [];
  const laterReport =
    party === 'seller' && !canReport
      ? [`You can report it from ${formatDay(firstReportDay, campus)} on.`]
      : [];
  const answers = [...extraPrice, ...request, ...report, ...laterReport].join(' ');
  return { title: 'This rental is overdue', text: answers, canReport };
};

/**
 * Returns the notice to show to a party of a deal, or undefined when there is none. `otherName` is the other
 * party's name.
 */
export const findDealAlert = (
  deal: Deal,
  party: DealParty,
  { otherName, campus, now }: { otherName: string; campus: CampusFormats; now: Date },
): DealAlert | undefined => {
  const today = toCampusDay(campus, now);
  const isWithRenter = deal.state === 'out' || deal.state === 'handed_over';
  if (isWithRenter && deal.last_day !== null && isRentalOver(deal, toCampusMinute(campus, now))) {
    const alert = describeOverdue(deal, {
      lastDay: deal.last_day,
      party,
      name: isolateDirection(otherName),
      today,
      campus,
    });
    // The summary of the deal says what the owner proposes for the extra days.
    if (deal.requested_extra_price === undefined || alert.canReport) return alert;
  }
  if (deal.item_overdue && party === 'buyer' && deal.first_day !== null && deal.first_day <= today)
    return {
      title: 'It isn’t back yet',
      text: `The person who has it now hasn’t returned it. Ask ${isolateDirection(otherName)} when you can get it. You can cancel, and it doesn’t count on your profile.`,
      canReport: false,
    };
  if (isMeetingQuestionDue(deal, now))
    return {
      title: `Did you meet ${isolateDirection(otherName)}?`,
      text: describeMeetingAnswers(deal),
      canReport: false,
    };
  if (isHoldEnding(deal, now))
    return { title: 'The hold ends soon', text: describeHoldAnswers(deal), canReport: false };
  return undefined;
};
