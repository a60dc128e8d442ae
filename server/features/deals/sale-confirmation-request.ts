import { isCategory } from '#contract/categories.ts';
import { formatSaleQuestion, type SaleQuestionLine } from '#contract/deal-event-lines.ts';
import { canUndoSale, getSaleOutcome, saleConfirmationDays } from '#contract/selling.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { DealChange } from './deal-change-publisher.ts';
import { type DealListing, lockListing } from './listing-repository.ts';
import { findConversationForSaleQuestion } from './recorded-sales-repository.ts';
import { deriveEventLineId, type StepDeps } from './steps.ts';

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
 * Creates the function that asks the person to whom a listing was sold without a deal to confirm the sale, with an
 * event line in their conversation. Each sale is asked about once. Returns undefined when there is nothing to publish.
 */
export const createSaleConfirmationRequester =
  ({ sql, clock, eventLines }: Pick<StepDeps, 'eventLines'> & { sql: Sql; clock: Clock }) =>
  (listingId: string): Promise<DealChange | undefined> =>
    runInTransaction(sql, async (tx) => {
      const listing = await lockListing(tx, listingId);
      const now = clock.now();
      if (!listing?.sold_to || !isWaitingForConfirmation(listing, now)) return undefined;
      const buyerId = listing.sold_to;
      const conversationId = await findConversationForSaleQuestion(tx, { listingId, buyerId });
      if (conversationId === undefined) return undefined;
      const category = isCategory(listing.category) ? listing.category : null;
      const data: SaleQuestionLine = { sale_outcome: getSaleOutcome(category), listing_changes: [] };
      const line = await eventLines.appendEventLine(tx, {
        conversationId,
        actorId: listing.user_id,
        isAutomatic: true,
        silentFor: null,
        clientId: deriveEventLineId(listingId, `sale of ${listing.sold_at?.toISOString()} to ${buyerId}`),
        text: formatSaleQuestion(data, 'anyone', { otherName: '' }),
        data,
        now,
      });
      return { line, changedConversations: [], changedListing: undefined };
    });
