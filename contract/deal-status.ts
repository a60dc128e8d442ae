import type { CampusFormats } from './campus.ts';
import {
  type DealEventLine,
  formatCampusTime,
  formatDealEventLine,
  formatDealTerms,
} from './deal-event-lines.ts';
import { type DealParty, type DealState, getOtherParty } from './deal-states.ts';
import {
  type DealTransition,
  type DealTransitionName,
  dealDurationSeconds,
  dealTransitions,
} from './deal-transitions.ts';
import type { Deal } from './deals.ts';
import { findHoldLimit, inReviewAdvice } from './hold-limits.ts';
import { formatPrice } from './prices.ts';
import { formatRentalEnd, isRentalOver, toCampusMinute } from './rental-times.ts';
import { saleOutcomeLabels } from './selling.ts';
import { isolateDirection } from './text-direction.ts';

/** The names of deal states that lists and filters show. */
export const dealStateLabels: Record<DealState, string> = {
  offered: 'Offered',
  held: 'On hold',
  handed_over: 'Handed over',
  out: 'Rented out',
  back: 'Returned',
  completed: 'Completed',
  no_show: 'No-show',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  lapsed: 'Lapsed',
  cancelled: 'Cancelled',
  closed: 'Closed',
};

/** A summary of a deal, worded for one of its parties. */
export interface DealStatus {
  /** The state of the deal in one sentence, as in 'Maya offers $110.' */
  sentence: string;
  /** A sentence about the next step; empty when the deal is over. */
  next: string;
  /** The party that has to act. Null when neither has to act, or when both may. */
  turn: DealParty | null;
  /** A sentence that says what happens when the deadline passes or the draw closes. Empty when neither is ahead. */
  otherwise: string;
}

/**
 * Returns the summary of a deal in a certain state. `minute` is the current minute on the campus.
 */
type StatusRule = (
  deal: Deal,
  party: DealParty,
  context: { name: string; minute: string; campus: CampusFormats },
) => Omit<DealStatus, 'otherwise'>;

/** Returns the noun for what the buyer sent: 'request' if the item is free, otherwise 'offer'. */
export const getOfferNoun = ({ kind }: Pick<Deal, 'kind'>): string => (kind === 'gift' ? 'request' : 'offer');

const describeOffer: StatusRule = (deal, party, { name, campus }) => {
  const isOwnOffer = deal.turn !== party;
  const offer =
    deal.kind === 'gift'
      ? party === 'buyer'
        ? 'You asked for this item.'
        : `${name} would like this item.`
      : `${isOwnOffer ? 'You offer' : `${name} offers`} ${formatDealTerms(deal, campus)}.`;
  if (deal.waiting && deal.kind === 'gift' && deal.position === null)
    return {
      sentence: party === 'buyer' ? 'You’re in the draw.' : `${name} is in the draw.`,
      next: 'The draw decides who can get it.',
      turn: null,
    };
  const position = deal.position === null ? '' : `Number ${deal.position} in line. `;
  if (deal.waiting) {
    const reason =
      deal.kind === 'rental' ? 'Somebody else has some of these days' : 'On hold for somebody else';
    return {
      sentence: offer,
      next: `${position}${reason}: the ${getOfferNoun(deal)} waits and doesn’t expire.`,
      turn: null,
    };
  }
  // The seller answers the requests for a free item in order, so only the first one can be answered.
  if (deal.position !== null && deal.position > 1) {
    const rule = isOwnOffer ? `${name} answers the first in line.` : 'Only the first in line can get it.';
    return { sentence: offer, next: `${position}${rule}`, turn: null };
  }
  return {
    sentence: offer,
    next: `${position}${isOwnOffer ? `${name} can answer.` : 'You can answer.'}`,
    turn: deal.turn,
  };
};

const describeHold: StatusRule = (deal, party, { name, campus }) => {
  const { handover, marked_as: outcome } = deal;
  const [buyer, seller] = party === 'buyer' ? ['you', name] : [name, 'you'];
  const claim = outcome
    ? `, although ${seller} marked it as ${saleOutcomeLabels[outcome].toLowerCase()}`
    : '';
  const sentence = `On hold for ${buyer}: ${formatDealTerms(deal, campus)}${claim}.`;
  const limit = findHoldLimit(deal.transitions);
  if (limit === 'in_review') return { sentence, next: inReviewAdvice, turn: null };
  if (!handover) {
    const next = limit
      ? 'Agree in the chat, and confirm the handover when it is done.'
      : deal.transitions.includes('transferred')
        ? 'Transfer the tickets, or agree on a time and a place to meet.'
        : 'Agree on a time and a place to meet.';
    return { sentence, next, turn: null };
  }
  if (handover.proposal) {
    const isOwnProposal = handover.proposal.by === party;
    return {
      sentence,
      next: isOwnProposal
        ? `${name} can choose one of your times.`
        : `${name} suggests meeting at ${handover.proposal.place}.`,
      turn: isOwnProposal ? getOtherParty(party) : party,
    };
  }
  return { sentence, next: 'Confirm the handover when it is done.', turn: null };
};

const describeEnd =
  (sentence: string): StatusRule =>
  (deal) => ({ sentence: sentence.replace('{offer}', getOfferNoun(deal)), next: '', turn: null });

/** Returns what the parties of a late rental agreed on for the extra days, as sentences: none if nothing. */
export const listAgreedExtraPrice = ({ extra_price: price }: Deal, campus: CampusFormats): string[] =>
  price === undefined ? [] : [`Agreed for the extra days: ${formatPrice(campus, price)}.`];

/** Returns the price that the owner of a late rental proposes for the extra days, in a sentence. */
export const describeProposedPrice = (
  price: number,
  party: DealParty,
  { name, campus }: { name: string; campus: CampusFormats },
): string =>
  party === 'buyer'
    ? `${name} proposes ${formatPrice(campus, price)} for the extra days.`
    : `You proposed ${formatPrice(campus, price)} for the extra days.`;

const rules: Record<DealState, StatusRule> = {
  offered: describeOffer,
  held: describeHold,
  handed_over: (_, party, { name }) =>
    party === 'buyer'
      ? {
          sentence: `${name} says that you have it.`,
          next: 'Confirm it, or say that it didn’t happen.',
          turn: party,
        }
      : { sentence: 'You handed it over.', next: `${name} can confirm it.`, turn: 'buyer' },
  out: (deal, party, { name, minute, campus }) => {
    const last = formatRentalEnd(deal, campus);
    const isBuyer = party === 'buyer';
    const isLate = isRentalOver(deal, minute);
    const sentence = isLate
      ? `${isBuyer ? 'You still have it.' : `${name} still has it.`} It was due back on ${last}.`
      : `${isBuyer ? 'You have it' : `${name} has it`} until ${last}.`;
    if (deal.requested_extra_price !== undefined) {
      const ownerNext = isLate
        ? `${name} still has it (due back on ${last}) and can answer.`
        : `${name} has it until ${last} and can answer.`;
      return {
        sentence: describeProposedPrice(deal.requested_extra_price, party, { name, campus }),
        next: isBuyer ? sentence : ownerNext,
        turn: 'buyer',
      };
    }
    if (!deal.requested_last_day) {
      const next = isBuyer ? 'Say so when you have returned it.' : 'Confirm the return when it is back.';
      return { sentence, next: [...listAgreedExtraPrice(deal, campus), next].join(' '), turn: null };
    }
    const requested = formatRentalEnd({ ...deal, last_day: deal.requested_last_day }, campus);
    return party === 'buyer'
      ? { sentence, next: `You asked to keep it until ${requested}. ${name} can answer.`, turn: 'seller' }
      : { sentence, next: `${name} asks to keep it until ${requested}.`, turn: 'seller' };
  },
  back: (deal, party, { name, campus }) => {
    const isBuyer = party === 'buyer';
    const [sentence, next] = isBuyer
      ? ['You returned it.', `${name} can confirm it.`]
      : [`${name} says that you have it back.`, 'Confirm it, or say that it’s not back.'];
    const proposed = deal.requested_extra_price;
    if (proposed === undefined)
      return { sentence, next: [...listAgreedExtraPrice(deal, campus), next].join(' '), turn: 'seller' };
    const proposal = describeProposedPrice(proposed, party, { name, campus });
    return isBuyer
      ? { sentence: proposal, next: `${sentence} ${next}`, turn: party }
      : { sentence, next: `${next} ${proposal}`, turn: party };
  },
  completed: (deal, party, { name, campus }) => {
    const { kind, price } = deal;
    const isBuyer = party === 'buyer';
    // The price of a sale that was made without a deal is not known.
    const sale =
      price === null
        ? isBuyer
          ? 'You bought it.'
          : `You sold it to ${name}.`
        : `${isBuyer ? 'You paid' : 'You got'} ${formatPrice(campus, price)}.`;
    const sentences = {
      sale,
      gift: isBuyer ? 'It’s yours.' : `You gave it to ${name}.`,
      rental: isBuyer ? 'You returned it.' : 'You have it back.',
    };
    const agreed = listAgreedExtraPrice(deal, campus);
    return { sentence: ['Done.', sentences[kind], ...agreed].join(' '), next: '', turn: null };
  },
  no_show: describeEnd('Ended because the meeting didn’t happen.'),
  declined: describeEnd('The {offer} was declined.'),
  withdrawn: describeEnd('The {offer} was withdrawn.'),
  expired: describeEnd('The {offer} expired without an answer.'),
  lapsed: describeEnd('The hold ended without a handover.'),
  cancelled: describeEnd('The deal was cancelled.'),
  closed: describeEnd('The deal was closed.'),
};

/**
 * Sentences that say what happens when the deadline passes, by the state of the deal. `agreed` is for a held
 * deal with an agreed handover.
 */
const consequences: Partial<Record<DealState | 'agreed', string>> = {
  offered: 'Without an answer the {offer} expires on {deadline}.',
  held: 'Otherwise the hold ends on {deadline}.',
  agreed: 'If nobody says how it went, the deal ends on {deadline}.',
  handed_over: 'Otherwise it counts as done on {deadline}.',
  back: 'Otherwise it counts as returned on {deadline}.',
  no_show: 'If you were there, say so until {deadline}.',
};

/**
 * Returns the time until which a party can act. That is the deadline of the deal, except for a party that can
 * contest a no-show report. For that party, it is the end of the period for contesting.
 */
const findDeadline = ({ deadline_at: deadline, transitions, updated_at: updatedAt }: Deal): string | null =>
  transitions.includes('contest')
    ? new Date(Date.parse(updatedAt) + dealDurationSeconds.contest * 1000).toISOString()
    : deadline;

/**
 * Returns a sentence that says what happens when the deadline of a deal passes, or when its draw closes. Returns
 * an empty string if neither is ahead.
 */
export const describeDeadline = (deal: Deal, campus: CampusFormats, now: Date): string => {
  const { draw_closes_at: closesAt } = deal;
  if (closesAt && new Date(closesAt) > now)
    return `The order is drawn on ${formatCampusTime(closesAt, campus)}.`;
  const isAgreed = deal.state === 'held' && deal.handover?.agreed;
  const deadline = findDeadline(deal);
  const consequence = consequences[isAgreed ? 'agreed' : deal.state];
  if (!deadline || !consequence) return '';
  return consequence
    .replace('{offer}', getOfferNoun(deal))
    .replace('{deadline}', formatCampusTime(deadline, campus));
};

/**
 * Returns a summary of a deal, worded for one of its parties. `otherName` is the display name of the other
 * party. `now` is needed to say whether a rental is overdue; times are in campus time. If `lastStep` closed
 * the deal, the summary states the cause.
 */
export const describeDeal = (
  deal: Deal,
  party: DealParty,
  {
    otherName,
    campus,
    now,
    lastStep,
  }: {
    otherName: string;
    campus: CampusFormats;
    now: Date;
    lastStep?: DealEventLine | undefined;
  },
): DealStatus => {
  const isClosing = deal.state === 'closed' && lastStep?.deal_id === deal.id && lastStep.state === 'closed';
  return {
    ...rules[deal.state](deal, party, {
      name: isolateDirection(otherName),
      minute: toCampusMinute(campus, now),
      campus,
    }),
    ...(isClosing && { sentence: formatDealEventLine(lastStep, party, { otherName, campus }) }),
    otherwise: describeDeadline(deal, campus, now),
  };
};

/** Returns the label of the button that makes a transition; the name of the transition if it has no label. */
export const getTransitionLabel = (
  { state, kind, tickets }: Pick<Deal, 'state' | 'kind' | 'tickets'>,
  name: DealTransitionName,
  party: DealParty,
): string => {
  if (tickets && name === 'received') return 'Received';
  const transition = dealTransitions.find(
    (it: DealTransition) =>
      it.name === name &&
      it.from.includes(state) &&
      (it.kinds?.includes(kind) ?? true) &&
      it.by !== getOtherParty(party),
  ) as DealTransition | undefined;
  return transition?.label ?? name;
};
