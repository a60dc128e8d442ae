import type { CampusTimeZone } from '#contract/campus.ts';
import type { DealEndCause, DealEventLine } from '#contract/deal-event-lines.ts';
import { type DealFacts, getStateAfterTransition, isLateCancellation } from '#contract/deal-process.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import type { DealTransition, DealTransitionName } from '#contract/deal-transitions.ts';
import { presentRentalTimes } from '#contract/rental-times.ts';
import { computeDeadline, endNoLaterThan } from './deadlines.ts';
import { findNextNoticeTime, getEarliestUnsentNoticeTime } from './notices.ts';

/** A stored deal; the columns of the table `deals`. */
export interface DealRow extends DealFacts {
  id: string;
  listing_id: string | null;
  conversation_id: string;
  buyer_id: string | null;
  seller_id: string | null;
  title: string;
  /**
   * The offered or agreed price, or null for a sale that was made without a deal and confirmed later, because Quad
   * does not know its price.
   */
  price: number | null;
  /**
   * The cap on the price of tickets when the deal was started, as a percentage of the face value; 0 without a cap. Null for
   * other items, and when an earlier version started the deal.
   */
  ticket_price_cap: number | null;
  first_day: string | null;
  last_day: string | null;
  /** When a rental begins on its first day and ends on its last day (HH:MM on campus); null for whole days. */
  pickup_time: string | null;
  return_time: string | null;
  /** The deposit that the listing of a rental asked for when the deal was started. */
  deposit: number | null;
  /** The agreed price for the days after the last one. */
  extra_price: number | null;
  /** Number of transitions so far, which is also the number of the newest event line. */
  number: number;
  is_waiting: boolean;
  draw_rank: number | null;
  hold_hours: number;
  spot_id: string | null;
  place: string | null;
  proposed_times: Date[];
  handover_agreed_at: Date | null;
  agreed_spot_id: string | null;
  agreed_place: string | null;
  calendar_sequence: number;
  cancelled_by: DealParty | null;
  is_late: boolean;
  /** When the job next checks whether a notice of the deal is due, or null when no notice is left. */
  next_notice_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
}

/** Returns the id of the person who is the given party of a deal, or null when the account was deleted. */
export const getPartyId = (deal: Pick<DealRow, 'buyer_id' | 'seller_id'>, party: DealParty): string | null =>
  party === 'buyer' ? deal.buyer_id : deal.seller_id;

export interface TransitionData {
  price?: number | undefined;
  reason?: string | undefined;
  place?: { spotId: string | null; name: string } | undefined;
  /** The landmark of the suggested or agreed meeting spot. */
  landmark?: string | null | undefined;
  times?: Date[] | undefined;
  time?: Date | undefined;
  lastDay?: string | undefined;
  /** Whether an earlier renter has not returned the item. */
  isItemOverdue?: boolean | undefined;
  cause?: DealEndCause | undefined;
}

export interface AppliedTransition {
  transition: DealTransition;
  /** The party that acts, or null for the clock and the server. */
  by: DealParty | null;
  data: TransitionData;
  /** When a hold has to end at the latest, or undefined when that is not limited. */
  latestHoldEnd?: Date | undefined;
  now: Date;
}

type TransitionChanges = (deal: DealRow, applied: AppliedTransition) => Partial<DealRow>;

/** The fields that a transition changes in addition to state, turn and deadline. */
const changes: Partial<Record<DealTransitionName, TransitionChanges>> = {
  counter: (deal, { data }) => ({ price: data.price ?? deal.price, offer_count: deal.offer_count + 1 }),
  renew: () => ({ is_waiting: false }),
  propose_handover: (_deal, { by, data }) => ({
    handover_proposed_by: by,
    spot_id: data.place?.spotId ?? null,
    place: data.place?.name ?? null,
    proposed_times: data.times ?? [],
  }),
  agree_handover: (deal, { data, now }) => ({
    handover_at: data.time ?? null,
    handover_agreed_at: now,
    agreed_spot_id: deal.spot_id,
    agreed_place: deal.place,
    handover_proposed_by: null,
    proposed_times: [],
    is_running_late: false,
    is_buyer_here: false,
    is_seller_here: false,
    is_buyer_late: false,
    is_seller_late: false,
    buyer_late_at: null,
    seller_late_at: null,
    calendar_sequence: deal.calendar_sequence + 1,
  }),
  agreed_in_chat: () => ({ has_agreed_in_chat: true }),
  keep_hold: () => ({ has_kept_hold: true }),
  here: (_deal, { by }) => (by === 'buyer' ? { is_buyer_here: true } : { is_seller_here: true }),
  running_late: (_deal, { by, now }) => ({
    is_running_late: true,
    ...(by === 'buyer'
      ? { is_buyer_late: true, buyer_late_at: now }
      : { is_seller_late: true, seller_late_at: now }),
  }),
  object: (deal) => ({ has_objected: deal.has_objected || deal.state === 'handed_over' }),
  cancel: (deal, { by, data, now }) => ({
    cancelled_by: by,
    is_late: isLateCancellation(
      { handover_at: deal.handover_at, item_overdue: data.isItemOverdue ?? false },
      by,
      now,
    ),
    calendar_sequence: deal.calendar_sequence + 1,
  }),
  end: (deal) => ({ calendar_sequence: deal.calendar_sequence + 1 }),
  report_no_show: (deal, { by }) => ({
    reported: deal.state === 'no_show' || !by ? null : getOtherParty(by),
  }),
  contest: () => ({ is_contested: true }),
  extend: (_deal, { data }) => ({ requested_last_day: data.lastDay ?? null }),
  accept_extension: (deal) => ({ last_day: deal.requested_last_day, requested_last_day: null }),
  decline_extension: () => ({ requested_last_day: null }),
  propose_extra_price: (_deal, { data }) => ({ requested_extra_price: data.price ?? null }),
  accept_extra_price: (deal) => ({ extra_price: deal.requested_extra_price, requested_extra_price: null }),
  decline_extra_price: () => ({ requested_extra_price: null }),
};

const findNextTurn = (deal: DealRow, { transition, by }: AppliedTransition): DealParty | null => {
  if (transition.turn === 'unchanged') return deal.turn;
  return transition.turn === 'other' && by ? getOtherParty(by) : null;
};

/** Returns the deal after a transition that the table allows. Has no side effects. */
export const applyTransition = (
  deal: DealRow,
  applied: AppliedTransition,
  campus: CampusTimeZone,
): DealRow => {
  const { transition, latestHoldEnd, now } = applied;
  const state = getStateAfterTransition(transition, deal.kind);
  const changed: DealRow = {
    ...deal,
    ...changes[transition.name as DealTransitionName]?.(deal, applied),
    state,
    turn: findNextTurn(deal, applied),
    number: deal.number + 1,
    changed_at: now,
  };
  // A waiting offer has no deadline, whichever party made it.
  const isWaiting = changed.is_waiting && state === 'offered';
  const deadline = isWaiting ? null : computeDeadline(transition.deadline, changed, now, campus);
  const next: DealRow = {
    ...changed,
    is_waiting: isWaiting,
    deadline_at: state === 'held' ? endNoLaterThan(deadline, latestHoldEnd) : deadline,
    completed_at: state === 'completed' ? now : deal.completed_at,
  };
  // No notice of a hold was sent before it began, and one can already be due: that the item is not back is told at 9:00
  // on the first day, and the rental may have been accepted later.
  const isNewHold = deal.state === 'offered' && state === 'held';
  const unsentSince = isNewHold ? new Date(0) : getEarliestUnsentNoticeTime(deal.next_notice_at, now);
  return { ...next, next_notice_at: findNextNoticeTime(next, unsentSince, campus) };
};

const presentExtraPrice = (price: number | null) => price !== null && { extra_price: price };

/** Returns the data of the event line for the transition from `before` to `deal`. */
export const toDealEventLine = (
  before: Pick<DealRow, 'state'> | null,
  deal: DealRow,
  { transition, by, data }: Pick<AppliedTransition, 'transition' | 'by' | 'data'>,
): DealEventLine => ({
  ...presentExtraPrice(deal.requested_extra_price ?? deal.extra_price),
  deal_id: deal.id,
  number: deal.number,
  transition: transition.name as DealTransitionName,
  by,
  kind: deal.kind,
  from: before?.state ?? null,
  state: deal.state,
  turn: deal.turn,
  price: deal.price,
  first_day: deal.first_day,
  last_day: deal.last_day,
  ...presentRentalTimes(deal),
  requested_last_day: deal.requested_last_day,
  deadline_at: deal.deadline_at?.toISOString() ?? null,
  place: transition.name === 'agree_handover' ? deal.agreed_place : deal.place,
  ...(data.landmark && { landmark: data.landmark }),
  times: deal.proposed_times.map((time) => time.toISOString()),
  time: deal.handover_at?.toISOString() ?? null,
  reason: data.reason ?? null,
  cause: data.cause ?? null,
});
