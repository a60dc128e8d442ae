import type { CampusFormats } from '#contract/campus.ts';
import { type DealAlert, isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import { formatCampusTime, formatDealTerms } from '#contract/deal-event-lines.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import type { DealStatus } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { formatDeposit } from '#contract/rental-prices.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatHandoverTime } from './handover-times.ts';

/** What matters next about a deal, in two lines, and what explains it. */
export interface DealHeadline {
  title: string;
  /** The meeting place, which follows the title with a link to a map. */
  place?: string;
  text: string;
  details: string[];
}

interface HeadlineContext {
  status: DealStatus;
  alert: DealAlert | undefined;
  otherName: string;
  campus: CampusFormats;
  now: Date;
}

/** Returns who is at the meeting spot and who is running late, or an empty text. */
const describeArrivals = ({ handover }: Deal, party: DealParty, otherName: string): string => {
  const name = isolateDirection(otherName);
  const own = handover?.arrivals?.[party];
  const theirs = handover?.arrivals?.[getOtherParty(party)];
  return [
    theirs === 'here' && `${name} is here.`,
    theirs === 'late' && `${name} is running 10 minutes late.`,
    own === 'here' && 'You’re here.',
    own === 'late' && 'You’re running 10 minutes late.',
  ]
    .filter(Boolean)
    .join(' ');
};

const join = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' · ');

const describeHold = (
  deal: Deal,
  party: DealParty,
  { status, otherName, campus, now }: HeadlineContext,
): Omit<DealHeadline, 'details'> => {
  const { handover, deadline_at: deadline } = deal;
  const until = deadline && !handover?.agreed ? ` until ${formatCampusTime(deadline, campus)}` : '';
  const hold = join([
    formatDealTerms(deal, campus),
    `held for ${party === 'buyer' ? 'you' : isolateDirection(otherName)}${until}`,
  ]);
  if (handover?.proposal)
    return {
      title: status.next,
      text: join([handover.proposal.landmark && isolateDirection(handover.proposal.landmark), hold]),
    };
  if (!handover?.time) return { title: status.next, text: hold };
  const time = formatHandoverTime(handover.time, campus, now);
  const landmark = handover.landmark && isolateDirection(handover.landmark);
  const arrivals = describeArrivals(deal, party, otherName);
  return arrivals
    ? { title: arrivals, text: join([time, isolateDirection(handover.place), landmark]) }
    : { title: time, place: handover.place, text: join([landmark, hold]) };
};

const describeOther = (
  { deadline_at: deadline }: Deal,
  { sentence, next, otherwise, turn }: DealStatus,
  campus: CampusFormats,
): Omit<DealHeadline, 'details'> => ({
  title: sentence,
  text:
    turn && deadline
      ? join([next.replace(/\.$/, ''), `until ${formatCampusTime(deadline, campus)}`])
      : next || otherwise,
});

/** Returns what the panel of a deal says to one of its parties. */
export const describeHeadline = (deal: Deal, party: DealParty, context: HeadlineContext): DealHeadline => {
  const { status, alert, otherName, campus, now } = context;
  // That somebody is at the meeting spot matters more than when the hold ends.
  const isMeeting =
    deal.state === 'held' &&
    !isMeetingQuestionDue(deal, now) &&
    describeArrivals(deal, party, otherName) !== '';
  const headline =
    alert && !isMeeting
      ? { title: alert.title, text: alert.text }
      : deal.state === 'held'
        ? describeHold(deal, party, context)
        : describeOther(deal, status, campus);
  const isShown = (text: string) =>
    text === headline.title || headline.text.startsWith(text.replace(/\.$/, ''));
  const deposit = deal.deposit === undefined ? '' : formatDeposit(deal.deposit, campus);
  const details = [...new Set([status.sentence, alert?.text, status.next, status.otherwise, deposit])].filter(
    (text): text is string => Boolean(text) && !isShown(text ?? ''),
  );
  return { ...headline, details };
};
