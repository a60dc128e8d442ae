import { type DealKind, type DealParty, type DealState, dealKinds, getOtherParty } from './deal-states.ts';
import {
  type DealActor,
  type DealTransition,
  type DealTransitionName,
  type DealTransitionWindow,
  dealDurationSeconds,
  dealTransitions,
  type NonPartyActor,
  nonPartyActors,
} from './deal-transitions.ts';

/** The facts about a deal that decide which transitions are possible. */
export interface DealFacts {
  kind: DealKind;
  state: DealState;
  /** The party that has to answer the current offer, or null when no answer is due. */
  turn: DealParty | null;
  deadline_at: Date | null;
  /** Number of offers and counter-offers that the parties have made so far. */
  offer_count: number;
  /** The party that made the latest proposal for the handover, or null when there is none. */
  handover_proposed_by: DealParty | null;
  /** The agreed time of the handover, or null until one is agreed. */
  handover_at: Date | null;
  /**
   * Whether a party has said that they are running late. A no-show can then be reported ten minutes later
   * than usual.
   */
  is_running_late: boolean;
  /** Whether each party has said that they are at the agreed handover, or late for it. */
  is_buyer_here: boolean;
  is_seller_here: boolean;
  is_buyer_late: boolean;
  is_seller_late: boolean;
  /** When each party last said that they are late. Earlier versions did not store it. */
  buyer_late_at: Date | null;
  seller_late_at: Date | null;
  has_agreed_in_chat: boolean;
  has_kept_hold: boolean;
  has_objected: boolean;
  /**
   * The new last day that the renter has asked for, or null when there is no unanswered request for more
   * time.
   */
  requested_last_day: string | null;
  /** The price for the days after the last one that the owner has proposed, or null when the renter has answered. */
  requested_extra_price: number | null;
  /**
   * The party that was reported as a no-show. Null when neither was reported, or when each reported the
   * other.
   */
  reported: DealParty | null;
  is_contested: boolean;
  /** When the latest transition of the deal was made. */
  changed_at: Date;
}

/** Maximum number of offers and counter-offers in a deal. */
export const maxOffersPerDeal = 6;

/** Returns whether an actor is neither the buyer nor the seller. */
export const isNonPartyActor = (actor: DealActor): actor is NonPartyActor =>
  (nonPartyActors as readonly DealActor[]).includes(actor);

const isActor = (by: DealActor, deal: DealFacts, actor: DealParty | NonPartyActor): boolean => {
  if (isNonPartyActor(actor)) return by === actor;
  switch (by) {
    case 'either':
      return true;
    case 'answerer':
      return deal.turn === actor;
    case 'proposer':
      return deal.turn === getOtherParty(actor);
    case 'other_proposer':
      return deal.handover_proposed_by === getOtherParty(actor);
    case 'reported':
      return deal.reported === actor;
    default:
      return by === actor;
  }
};

/**
 * Returns whether a cancellation at `now` counts as late: less than two hours before the agreed
 * time of the handover, or after it (deals.md, "Handover"). It never counts as late when the renter cancels
 * because an earlier renter has not returned the item. `by` is the party that cancels, or null when the
 * server cancels.
 */
export const isLateCancellation = (
  {
    handover_at: handoverAt,
    item_overdue: isItemOverdue,
  }: { handover_at: Date | null; item_overdue: boolean },
  by: DealParty | null,
  now: Date,
): boolean =>
  handoverAt !== null &&
  !(isItemOverdue && by === 'buyer') &&
  now.getTime() > handoverAt.getTime() - dealDurationSeconds.lateCancellation * 1000;

const canBeLate = (isLate: boolean, lateAt: Date | null, now: Date): boolean =>
  !isLate ||
  (lateAt !== null && now.getTime() >= lateAt.getTime() + dealDurationSeconds.untilLateAgain * 1000);

/** Conditions of transitions that the columns of the transition table cannot express. */
const conditions: Partial<
  Record<DealTransitionName, (deal: DealFacts, actor: DealParty | NonPartyActor, now: Date) => boolean>
> = {
  counter: (deal) => deal.offer_count < maxOffersPerDeal,
  agreed_in_chat: (deal) => !deal.has_agreed_in_chat && deal.handover_at === null,
  keep_hold: (deal) => !deal.has_kept_hold && deal.handover_at === null,
  here: (deal, actor) => !(actor === 'buyer' ? deal.is_buyer_here : deal.is_seller_here),
  // Nobody who has arrived is late.
  running_late: (deal, actor, now) =>
    actor === 'buyer'
      ? !deal.is_buyer_here && canBeLate(deal.is_buyer_late, deal.buyer_late_at, now)
      : !deal.is_seller_here && canBeLate(deal.is_seller_late, deal.seller_late_at, now),
  object: (deal) => deal.state === 'back' || !deal.has_objected,
  // While the owner has not answered a request for more time, the renter cannot make another. The owner's
  // answer therefore applies to the day that the owner saw.
  extend: (deal) => deal.requested_last_day === null,
  accept_extension: (deal) => deal.requested_last_day !== null,
  decline_extension: (deal) => deal.requested_last_day !== null,
  // As above: the renter's answer applies to the price that the renter saw.
  propose_extra_price: (deal) => deal.requested_extra_price === null,
  accept_extra_price: (deal) => deal.requested_extra_price !== null,
  decline_extra_price: (deal) => deal.requested_extra_price !== null,
  contest: (deal) => !deal.is_contested,
};

const isInWindow = (window: DealTransitionWindow | undefined, deal: DealFacts, now: Date): boolean => {
  if (!window) return true;
  const instants = {
    handover: deal.handover_at,
    deadline: deal.deadline_at,
    last_transition: deal.changed_at,
  };
  const start = instants[window.from];
  if (!start) return false;
  const lateness = window.from === 'handover' && deal.is_running_late ? dealDurationSeconds.runningLate : 0;
  const seconds = (now.getTime() - start.getTime()) / 1000;
  const { opens = Number.NEGATIVE_INFINITY, closes = Number.POSITIVE_INFINITY } = window;
  return seconds >= opens + (opens > 0 ? lateness : 0) && seconds <= closes;
};

const getTransition = (name: DealTransitionName): DealTransition => {
  const transition = dealTransitions.find((it) => it.name === name);
  if (!transition) throw new Error(`There is no transition ${name}`);
  return transition;
};

/**
 * The transition with which a buyer confirms a sale that was made without a deal. Unlike the other
 * transitions that start a deal, it applies to all kinds of deals.
 */
export const saleConfirmationTransition: DealTransition = getTransition('confirm_sale');

/** Returns the transition that starts a deal of the given kind. */
export const findStartTransition = (kind: DealKind): DealTransition => {
  const transition = dealTransitions.find(
    (it: DealTransition) =>
      it.from.includes(null) && it !== saleConfirmationTransition && (it.kinds?.includes(kind) ?? true),
  );
  if (!transition) throw new Error(`No transition starts a deal of the kind ${kind}`);
  return transition;
};

/**
 * Returns the transition that `actor` can make at `now`, or undefined when the actor cannot make
 * it. Once the deadline has passed, only the actor `clock` can change the deal, even if the job that applies
 * deadlines has not run yet.
 */
export const findTransition = (
  deal: DealFacts,
  name: DealTransitionName,
  actor: DealParty | NonPartyActor,
  now: Date,
): DealTransition | undefined => {
  const isPastDeadline = deal.deadline_at !== null && now >= deal.deadline_at;
  // The server and administrators may end a deal even after its deadline.
  if (actor !== 'server' && actor !== 'administrator' && isPastDeadline !== (actor === 'clock'))
    return undefined;
  return dealTransitions.find(
    (transition: DealTransition) =>
      transition.name === name &&
      transition.from.includes(deal.state) &&
      (transition.kinds ?? dealKinds).includes(deal.kind) &&
      isActor(transition.by, deal, actor) &&
      isInWindow(transition.window, deal, now) &&
      (conditions[name]?.(deal, actor, now) ?? true),
  );
};

/**
 * Returns the names of the transitions that a party can make at `now`, in the order of the
 * transition table.
 */
export const listTransitions = (deal: DealFacts, party: DealParty, now: Date): DealTransitionName[] => {
  const names = dealTransitions.map(({ name }) => name);
  return [...new Set(names)].filter((name) => findTransition(deal, name, party, now));
};

/**
 * Returns the transition that is made automatically when the deadline of a deal in this state has passed, or
 * undefined when there is none.
 */
export const findDeadlineTransition = (state: DealState): DealTransitionName | undefined =>
  dealTransitions.find(
    (transition: DealTransition) => transition.by === 'clock' && transition.from.includes(state),
  )?.name;

/** Returns the state of a deal of this kind after a transition. */
export const getStateAfterTransition = (transition: DealTransition, kind: DealKind): DealState =>
  (kind === 'rental' ? transition.rentalTo : undefined) ?? transition.to;
