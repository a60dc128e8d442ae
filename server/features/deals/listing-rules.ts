import type { Category } from '#contract/categories.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import { dealErrorMessages } from '#contract/deals.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import type { GiftMode } from '#contract/selling.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import * as repository from './listing-rules-repository.ts';

/** Throws when deals about a listing forbid its owner to change its category or how the recipient is chosen. */
export const assertMayChangeListing = async (
  tx: Queryable,
  listing: { id: string; category: Category | null; gift_mode: GiftMode; draw_hours: number },
  to: { category: Category | null; giftMode: GiftMode; drawHours: number },
): Promise<void> => {
  const isOtherKind = getDealKind(listing.category) !== getDealKind(to.category);
  const isOtherGift =
    getDealKind(to.category) === 'gift' &&
    (listing.gift_mode !== to.giftMode || (to.giftMode === 'draw' && listing.draw_hours !== to.drawHours));
  if (isOtherKind && (await repository.hasOpenDeals(tx, listing.id)))
    throw createFieldProblem({ category: dealErrorMessages.categoryFixed });
  if (isOtherGift && (await repository.hasEverBeenClaimed(tx, listing.id)))
    throw createFieldProblem({ giftMode: dealErrorMessages.drawFixed });
};

/** Throws handover_unconfirmed while a handover to somebody other than this buyer is unconfirmed. */
export const assertNoUnconfirmedHandover = async (
  tx: Queryable,
  deals: { listingId: string; exceptBuyerId?: string | undefined },
): Promise<void> => {
  if (await repository.hasUnconfirmedHandover(tx, deals)) throw createProblem('handover_unconfirmed');
};

/** Throws sale_in_deal if a deal records whether the person to whom the listing was sold got it. */
export const assertSaleNotInDeal = async (
  tx: Queryable,
  deal: { listingId: string; buyerId: string },
): Promise<void> => {
  if (await repository.isSaleInDeal(tx, deal)) throw createProblem('sale_in_deal');
};

/** Throws rental_out when the item is rented out, and handover_unconfirmed while a handover is unconfirmed. */
export const assertMayDeleteListing = async (tx: Queryable, listingId: string): Promise<void> => {
  await assertNoUnconfirmedHandover(tx, { listingId });
  if (await repository.isRentedOut(tx, listingId)) throw createProblem('rental_out');
};

/** Throws rental_unfinished when this person, as owner or renter, has a rental that has not been returned. */
export const assertNoUnreturnedRental = async (tx: Queryable, userId: string): Promise<void> => {
  if (await repository.hasUnreturnedRental(tx, userId)) throw createProblem('rental_unfinished');
};
