import { toCampusDay } from '#contract/campus.ts';
import { saleUndoWindowSeconds } from '#contract/selling.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { createDealChangePublisher, type DealChangePublisherDeps } from './deal-change-publisher.ts';
import { createListingChangeReporter } from './listing-changes.ts';
import * as parties from './party-repository.ts';
import * as queues from './queue-repository.ts';
import { listUnaskedSales } from './recorded-sales-repository.ts';
import { createSaleConfirmationRequester } from './sale-confirmation-request.ts';
import type { DealSettlingJob } from './settling-queue.ts';
import { decideSettling, toSettlingTransition } from './settling-rules.ts';
import { createDealSteps, lockDealAndListing, type StepDeps } from './steps.ts';

/** How long the queue has time to settle the deals of a listing before `settleMissed` does it, in seconds. */
const missedAfterSeconds = 60;

/**
 * Creates the functions that settle deals (docs/deals.md) after their listing or a party changed, one transaction per
 * deal.
 */
export const createDealSettling = (deps: StepDeps & DealChangePublisherDeps) => {
  const { sql, clock, campus } = deps;
  const steps = createDealSteps(deps);
  const listingChanges = createListingChangeReporter(deps);
  const askBuyer = createSaleConfirmationRequester(deps);
  const publish = createDealChangePublisher(deps);

  const settleDeal = async (id: string, isRemoving: boolean): Promise<void> => {
    const result = await runInTransaction(sql, async (tx) => {
      const locked = await lockDealAndListing(tx, id);
      if (!locked) return undefined;
      const contact = await parties.findPartyContact(tx, locked.deal);
      const now = clock.now();
      const verdict = decideSettling(locked, {
        mayContact: contact.is_allowed,
        isRemoving,
        now,
        today: toCampusDay(campus, now),
      });
      if (verdict === 'stop_waiting') return steps.stopWaiting(tx, locked.deal, now);
      const step = verdict && toSettlingTransition(verdict, locked, now);
      // If one party has blocked the other, the event line does not count as unread for the party that blocked.
      return step && steps.take(tx, locked, { ...step, silentFor: contact.blocked_by });
    });
    if (result) await publish(result);
  };

  const informOfChanges = async (listingId: string): Promise<void> => {
    for (const dealId of await listingChanges.listDealsToInform(listingId)) {
      const result = await listingChanges.inform(listingId, dealId);
      if (result) await publish(result);
    }
  };

  const settle = async (settling: DealSettlingJob, isRemoving = false): Promise<void> => {
    const ofListing = settling.listing_id ? await queues.listOfferAndHoldIds(sql, settling.listing_id) : [];
    for (const id of [...(settling.deal_ids ?? []), ...ofListing]) await settleDeal(id, isRemoving);
    // The question follows the line that closes the buyer's offer, because a push notification shows only the last line.
    const question = settling.listing_id && (await askBuyer(settling.listing_id));
    if (question) await publish(question);
    if (settling.listing_id) await informOfChanges(settling.listing_id);
  };

  return {
    /**
     * Settles the offers and holds that the job names: ends, cancels or renews them, or reports the handover. Then asks
     * the buyer of a sold listing to confirm the sale, and tells buyers with open deals how the listing changed.
     */
    settle: (settling: DealSettlingJob): Promise<void> => settle(settling),

    /**
     * Settles the deals of sold listings and drafts that the queue missed, and asks the buyers whom it missed: the queue
     * is empty after a backup has been restored, and the clock of the host that marked a listing as sold may be ahead.
     * Also ends the waiting requests for rental days that are over, which the passing of time does not queue.
     */
    settleMissed: async (): Promise<void> => {
      const now = clock.now();
      const before = addSeconds(now, -(saleUndoWindowSeconds + missedAfterSeconds));
      const unsettled = await queues.listUnsettledListings(sql, { before, today: toCampusDay(campus, now) });
      for (const id of unsettled) await settle({ listing_id: id });
      for (const id of await listUnaskedSales(sql, { before })) await settle({ listing_id: id });
    },

    /** Ends the offers and the hold of a deleted listing that is about to be removed. */
    settleRemoved: (listingId: string): Promise<void> => settle({ listing_id: listingId }, true),
  };
};

export type DealSettling = ReturnType<typeof createDealSettling>;
