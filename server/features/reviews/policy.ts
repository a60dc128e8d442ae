import type { DealParty } from '#contract/deal-states.ts';
import { reviewPeriodSeconds } from '#contract/reviews.ts';
import type { ReviewedDeal, ReviewRow } from './repository.ts';

export const getDealParty = (deal: ReviewedDeal, userId: string): DealParty =>
  deal.buyer_id === userId ? 'buyer' : 'seller';

/** Returns the user id of the other party of a deal, or null when that account was deleted. */
export const getOtherPartyId = (deal: ReviewedDeal, party: DealParty): string | null =>
  party === 'buyer' ? deal.seller_id : deal.buyer_id;

/** Returns when the period for reviews ends, or undefined for a deal that is not completed. */
export const findReviewPeriodEnd = ({ completed_at: completedAt }: ReviewedDeal): Date | undefined =>
  completedAt ? new Date(completedAt.getTime() + reviewPeriodSeconds * 1000) : undefined;

/** Returns whether a review has become public. Does not consider whether a moderator removed it. */
export const isReviewPublic = ({ public_at: publicAt }: Pick<ReviewRow, 'public_at'>, now: Date): boolean =>
  publicAt <= now;

/** Returns whether a party can write a review, or change their own. */
export const canReview = (
  deal: ReviewedDeal,
  party: DealParty,
  own: Pick<ReviewRow, 'public_at' | 'removed_at'> | undefined,
  now: Date,
): boolean => {
  const end = findReviewPeriodEnd(deal);
  if (end === undefined || now >= end || getOtherPartyId(deal, party) === null) return false;
  return own === undefined || (!isReviewPublic(own, now) && own.removed_at === null);
};
