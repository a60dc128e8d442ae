import { type Campus, toCampusDay } from '#contract/campus.ts';
import { listTransitions } from '#contract/deal-process.ts';
import { type DealParty, isServerEndableDealState } from '#contract/deal-states.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { Deal } from '#contract/deals.ts';
import { isRentalOver, presentRentalTimes, toCampusMinute } from '#contract/rental-times.ts';
import { outcomeByDealKind } from '#contract/selling.ts';
import { isRentedWithoutDeal, isReturnLate } from './rental-days.ts';
import type { DealWithContext } from './repository.ts';
import { findLatestHoldEnd, isTicketDeal } from './ticket-deals.ts';

export const getDealParty = (deal: Pick<DealWithContext, 'buyer_id'>, userId: string): DealParty =>
  deal.buyer_id === userId ? 'buyer' : 'seller';

/**
 * Returns whether the item of a held rental is overdue at a minute on campus: the previous rental has ended, but the item has
 * not been returned.
 */
export const isItemOverdue = (
  { earlier_rental_until: until }: Pick<DealWithContext, 'earlier_rental_until'>,
  minute: string,
): boolean => until !== null && until <= minute;

const hasGamePassed = ({ game_day: day }: Pick<DealWithContext, 'game_day'>, today: string): boolean =>
  day !== null && day < today;

/** The transitions that remain possible for offers and holds while their listing is in review. */
const transitionsInReview: ReadonlySet<DealTransitionName> = new Set([
  'decline',
  'withdraw',
  'cancel',
  'report_no_show',
  'contest',
]);

/**
 * Returns whether the listing, its other deals and the days of a rental allow a transition. An
 * offer can be accepted while no other deal reserves the item; of the claims of a free item, only
 * the first in the queue can. Offers and holds cannot proceed while the deletion of their listing
 * can be undone, and can only end while the listing is in review. After the first day of a rental, no handover can be
 * suggested. Offers about a passed game can neither be accepted nor countered. A hold that ends as late as
 * possible cannot be extended, and only tickets can be transferred. A price for extra days can be proposed when there are any.
 */
export const isTransitionAllowedByListing = (
  deal: DealWithContext,
  name: DealTransitionName,
  { now, campus }: { now: Date; campus: Campus },
): boolean => {
  const today = toCampusDay(campus, now);
  const minute = toCampusMinute(campus, now);
  if (deal.is_listing_deleted && isServerEndableDealState(deal.state)) return false;
  if (deal.is_listing_in_review && isServerEndableDealState(deal.state)) return transitionsInReview.has(name);
  switch (name) {
    case 'accept':
      return (
        deal.is_available &&
        !deal.is_reserved &&
        !deal.is_draw_open &&
        !isRentalOver(deal, minute) &&
        !hasGamePassed(deal, today) &&
        !isRentedWithoutDeal(deal, today) &&
        (deal.position ?? 1) === 1
      );
    case 'counter':
      return !isRentalOver(deal, minute) && !hasGamePassed(deal, today);
    case 'propose_handover':
      return deal.first_day === null || (deal.first_day >= today && !isRentalOver(deal, minute));
    case 'propose_extra_price':
      return isReturnLate(deal, { now, campus });
    case 'accept_extension':
      return !deal.is_reserved;
    case 'transferred':
      return isTicketDeal(deal);
    case 'keep_hold':
    case 'agreed_in_chat': {
      const latest = findLatestHoldEnd(deal, now, campus);
      return !latest || !deal.deadline_at || deal.deadline_at < latest;
    }
    default:
      return true;
  }
};

const getArrival = (deal: DealWithContext, party: DealParty): 'here' | 'late' | null => {
  if (deal[`is_${party}_here`]) return 'here';
  return deal[`is_${party}_late`] ? 'late' : null;
};

const presentLandmark = (landmark: string | null) => landmark !== null && { landmark };

const presentHandover = (deal: DealWithContext): Deal['handover'] => {
  const { place, agreed_place: agreed } = deal;
  if (place === null) return null;
  const isAgreed = deal.handover_at !== null;
  return {
    spot_id: isAgreed ? deal.agreed_spot_id : deal.spot_id,
    place: (isAgreed ? agreed : null) ?? place,
    ...presentLandmark(isAgreed ? deal.agreed_landmark : deal.spot_landmark),
    time: deal.handover_at?.toISOString() ?? null,
    agreed: isAgreed,
    arrivals: { buyer: getArrival(deal, 'buyer'), seller: getArrival(deal, 'seller') },
    proposal: deal.handover_proposed_by && {
      spot_id: deal.spot_id,
      place,
      ...presentLandmark(deal.spot_landmark),
      times: deal.proposed_times.map((time) => time.toISOString()),
      by: deal.handover_proposed_by,
    },
  };
};

/** Lists the transitions that a party of a deal can make at `now`. */
export const listAllowedTransitions = (
  deal: DealWithContext,
  party: DealParty,
  { now, campus }: { now: Date; campus: Campus },
): DealTransitionName[] => {
  return listTransitions(deal, party, now).filter((name) =>
    isTransitionAllowedByListing(deal, name, { now, campus }),
  );
};

/** Returns a deal as one of its parties sees it at `now`. */
export const presentDeal = (
  deal: DealWithContext,
  userId: string,
  { now, campus }: { now: Date; campus: Campus },
): Deal => {
  const today = toCampusDay(campus, now);
  const party = getDealParty(deal, userId);
  return {
    id: deal.id,
    listing_id: deal.listing_id,
    conversation_id: deal.conversation_id,
    buyer_id: deal.buyer_id,
    seller_id: deal.seller_id,
    other: party === 'buyer' ? deal.seller : deal.buyer,
    kind: deal.kind,
    state: deal.state,
    turn: deal.turn,
    title: deal.title,
    price: deal.price,
    first_day: deal.first_day,
    last_day: deal.last_day,
    ...presentRentalTimes(deal),
    deadline_at: deal.deadline_at?.toISOString() ?? null,
    waiting: deal.is_waiting,
    position: deal.is_draw_open ? null : deal.position,
    ...(deal.state === 'offered' &&
      deal.draw_closes_at && { draw_closes_at: deal.draw_closes_at.toISOString() }),
    handover: presentHandover(deal),
    requested_last_day: deal.requested_last_day,
    ...(deal.deposit !== null && { deposit: deal.deposit }),
    ...(deal.requested_extra_price !== null && { requested_extra_price: deal.requested_extra_price }),
    ...(deal.extra_price !== null && { extra_price: deal.extra_price }),
    item_overdue: isItemOverdue(deal, toCampusMinute(campus, now)),
    ...(deal.state === 'held' &&
      (deal.is_listing_sold || isRentedWithoutDeal(deal, today)) && {
        marked_as: outcomeByDealKind[deal.kind],
      }),
    ...(isTicketDeal(deal) && { tickets: true as const }),
    ...(deal.has_photos && { has_photos: true as const }),
    transitions: listAllowedTransitions(deal, party, { now, campus }),
    created_at: deal.created_at.toISOString(),
    updated_at: deal.changed_at.toISOString(),
  };
};
