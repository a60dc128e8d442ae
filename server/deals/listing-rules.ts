import type { Category } from '#contract/categories.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import { dealErrorMessages } from '#contract/deals.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import type { GiftMode } from '#contract/selling.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import * as repository from './listing-rules-repository.ts';

/** Throws when deals about a listing forbid its owner to change the category, or the way to give it away. */
export const assertMayChange = async (
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
  if (isOtherGift && (await repository.hasClaims(tx, listing.id)))
    throw createFieldProblem({ giftMode: dealErrorMessages.drawFixed });
};

/** Throws handover_unconfirmed while somebody other than this buyer has to confirm that the item was handed over. */
export const assertNotHandedOver = async (
  tx: Queryable,
  deals: { listingId: string; exceptBuyerId?: string | undefined },
): Promise<void> => {
  if (await repository.hasUnconfirmedHandover(tx, deals)) throw createProblem('handover_unconfirmed');
};

/**
 * Throws sale_in_deal while the person holds the listing in a deal, which records by itself whether they
 * got it.
 */
export const assertHasNoHold = async (
  tx: Queryable,
  deal: { listingId: string; buyerId: string },
): Promise<void> => {
  if (await repository.hasHold(tx, deal)) throw createProblem('sale_in_deal');
};

/** Throws rental_out when the listing is rented out, and handover_unconfirmed while somebody has to confirm a handover. */
export const assertMayDelete = async (tx: Queryable, listingId: string): Promise<void> => {
  await assertNotHandedOver(tx, { listingId });
  if (await repository.isRentedOut(tx, listingId)) throw createProblem('rental_out');
};

/** Throws rental_unfinished when a rental of this person, as owner or renter, is out. */
export const assertNoRentalOut = async (tx: Queryable, userId: string): Promise<void> => {
  if (await repository.hasRentalOut(tx, userId)) throw createProblem('rental_unfinished');
};
