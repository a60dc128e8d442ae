import { randomUUID } from 'node:crypto';
import type { Category } from '#contract/categories.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import { saleConfirmationTransition } from '#contract/deal-process.ts';
import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { deriveEventLineId } from './event-line-id.ts';
import { initialDealFields } from './new-deal.ts';
import { lockConversationAboutListing } from './recorded-sales-repository.ts';
import { storeNewDeal } from './transitions.ts';

/** A sale that was made without a deal and that its buyer has confirmed. */
export interface ConfirmedSale {
  listing: { id: string; user_id: string; title: string | null; category: Category | null };
  buyerId: string;
  now: Date;
}

/**
 * Records a confirmed sale as a completed deal, so that both parties can review it, in the transaction that confirms the
 * sale and holds the lock on the listing.
 */
export const recordSale = async (
  app: App,
  tx: Queryable,
  { listing, buyerId, now }: ConfirmedSale,
): Promise<void> => {
  const conversationId = await lockConversationAboutListing(tx, { listingId: listing.id, buyerId });
  if (conversationId === undefined) return;
  const id = randomUUID();
  const kind = getDealKind(listing.category);
  const deal = {
    ...initialDealFields,
    id,
    listing_id: listing.id,
    conversation_id: conversationId,
    buyer_id: buyerId,
    seller_id: listing.user_id,
    kind,
    state: saleConfirmationTransition.to,
    title: listing.title ?? '',
    // Quad does not know the price, because the parties agreed on it without a deal.
    price: kind === 'gift' ? 0 : null,
    offer_count: 0,
    created_at: now,
    changed_at: now,
    completed_at: now,
  };
  await storeNewDeal(app, tx, deal, {
    transition: saleConfirmationTransition,
    clientId: deriveEventLineId(id, 1),
    now,
  });
};
