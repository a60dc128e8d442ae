import type { DealEndCause } from '#contract/deal-event-lines.ts';
import { findDeadlineTransition } from '#contract/deal-process.ts';
import { isServerEndableDealState } from '#contract/deal-states.ts';
import { isPassedGame } from '#contract/game-days.ts';
import { isRentalOver } from '#contract/rental-times.ts';
import { canUndoSale, outcomeByDealKind } from '#contract/selling.ts';
import type { DealListing } from './listing-repository.ts';
import { isRentedWithoutDeal } from './rental-days.ts';
import type { LockedDeal, RequestedTransition } from './transitions.ts';

const reasons = {
  withdrawn: 'The listing was withdrawn.',
  sold: 'The item went to somebody else.',
  rented: 'The item is rented to somebody else on these days.',
} as const;

type Verdict =
  | { end: DealEndCause }
  | { cancel: string }
  | 'hand_over'
  | 'renew'
  | 'stop_waiting'
  | undefined;

const hasEnded = (listing: DealListing, today: string): boolean =>
  listing.status === 'draft'
    ? listing.ended_at !== null
    : listing.status === 'published' && isPassedGame(listing, today);

/**
 * Decides what happens to an offer or a hold, based on its listing and its parties. `today` and `minute` are those of the
 * campus. Returns undefined when the deal stays unchanged.
 */
export const decideSettling = (
  { listing, deal }: LockedDeal,
  {
    mayContact,
    isRemoving,
    now,
    today,
    minute,
  }: { mayContact: boolean; isRemoving: boolean; now: Date; today: string; minute: string },
): Verdict => {
  if (!isServerEndableDealState(deal.state)) return undefined;
  if (deal.buyer_id === null || deal.seller_id === null) return { end: 'account' };
  if (!mayContact) return { end: 'contact' };
  const endOrCancel = (cause: DealEndCause, reason: string): Verdict =>
    deal.state === 'offered' ? { end: cause } : { cancel: reason };
  if (listing?.hidden_at) return { end: 'taken_down' };
  // While the owner can undo the deletion of the listing, its deals stay unchanged.
  if (listing?.deleted_at && !isRemoving) return undefined;
  // A hold lives on after the game, because people who met there still confirm the handover and review each other.
  if (listing && !listing.deleted_at && hasEnded(listing, today))
    return deal.state === 'offered' ? { end: 'passed' } : undefined;
  if (!listing || listing.deleted_at || listing.status === 'draft') {
    // A moderator made the listing a draft, so its seller did not cancel.
    if (listing?.requested_changes) return { end: 'withdrawn' };
    return endOrCancel('withdrawn', reasons.withdrawn);
  }
  // While the listing is in review, its deals stay unchanged.
  if (listing.status === 'in_review') return undefined;
  const isRented = isRentedWithoutDeal(deal, today);
  if (listing.status === 'sold' || isRented) {
    if (canUndoSale(listing, now)) return undefined;
    if (listing.sold_to === deal.buyer_id) {
      if (deal.state === 'offered') return { end: 'marked_for_buyer' };
      // A buyer who has objected to a reported handover cannot object again, so only the seller can report the handover
      // a second time.
      return deal.has_objected ? undefined : 'hand_over';
    }
    return endOrCancel(outcomeByDealKind[deal.kind], isRented ? reasons.rented : reasons.sold);
  }
  if (deal.state === 'offered' && isRentalOver(deal, minute)) return { end: 'days_over' };
  const isFree = deal.is_waiting && !deal.is_reserved && !deal.is_draw_open;
  if (deal.state !== 'offered' || !isFree) return undefined;
  return (deal.position ?? 1) === 1 ? 'renew' : 'stop_waiting';
};

/**
 * Returns the transition that carries out a decision, or undefined when the deal's deadline has passed and no
 * transition is defined for that.
 */
export const toSettlingTransition = (
  verdict: Exclude<Verdict, 'stop_waiting' | undefined>,
  { deal }: LockedDeal,
  now: Date,
): RequestedTransition | undefined => {
  // If the deadline has already passed, its transition takes precedence over the decision.
  if (deal.deadline_at !== null && now >= deal.deadline_at) {
    const name = findDeadlineTransition(deal.state);
    return name && { name, actor: 'clock', now };
  }
  if (verdict === 'hand_over') return { name: 'handed_over', actor: 'seller', now };
  if (verdict === 'renew') return { name: 'renew', actor: 'server', now };
  if ('end' in verdict) return { name: 'end', actor: 'server', data: { cause: verdict.end }, now };
  return { name: 'cancel', actor: 'seller', data: { reason: verdict.cancel }, now };
};
