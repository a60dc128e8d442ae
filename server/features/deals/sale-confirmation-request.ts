import { isCategory } from '#contract/categories.ts';
import { formatSaleQuestion, type SaleQuestionLine } from '#contract/deal-event-lines.ts';
import { canUndoSale, getSaleOutcome, saleConfirmationDays } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { appendEventLine } from '#server/features/conversations/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { announceDealChange } from './announcing.ts';
import { deriveEventLineId } from './event-line-id.ts';
import { type DealListing, lockListing } from './listing-repository.ts';
import { findConversationForSaleQuestion } from './recorded-sales-repository.ts';

/** Returns whether the sale of a listing is final for its owner and waits for the confirmation of the named buyer. */
const isWaitingForConfirmation = (listing: DealListing, now: Date): boolean =>
  listing.sold_at !== null &&
  listing.sale_confirmed_at === null &&
  listing.hidden_at === null &&
  listing.deleted_at === null &&
  (listing.status === 'sold' || listing.status === 'published') &&
  !canUndoSale(listing, now) &&
  now < addSeconds(listing.sold_at, saleConfirmationDays * dayInSeconds);

/**
 * Asks the person to whom a listing was sold without a deal to confirm the sale, with an event line in their
 * conversation. Each sale is asked about once.
 */
export const requestSaleConfirmation = (app: App, listingId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const listing = await lockListing(tx, listingId);
    const now = app.clock.now();
    if (!listing?.sold_to || !isWaitingForConfirmation(listing, now)) return;
    const buyerId = listing.sold_to;
    const conversationId = await findConversationForSaleQuestion(tx, { listingId, buyerId });
    if (conversationId === undefined) return;
    const category = isCategory(listing.category) ? listing.category : null;
    const data: SaleQuestionLine = { sale_outcome: getSaleOutcome(category), listing_changes: [] };
    const line = await appendEventLine(app, tx, {
      conversationId,
      actorId: listing.user_id,
      isAutomatic: true,
      silentFor: null,
      clientId: deriveEventLineId(listingId, `sale of ${listing.sold_at?.toISOString()} to ${buyerId}`),
      text: formatSaleQuestion(data, 'anyone', { otherName: '' }),
      data,
      now,
    });
    announceDealChange(app, tx, { line });
  });
