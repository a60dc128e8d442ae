import { toCampusDay } from '#contract/campus.ts';
import { toCampusMinute } from '#contract/rental-times.ts';
import { saleUndoWindowSeconds } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { reportListingChanges } from './listing-changes.ts';
import * as parties from './party-repository.ts';
import * as queues from './queue-repository.ts';
import { listUnaskedSales } from './recorded-sales-repository.ts';
import { requestSaleConfirmation } from './sale-confirmation-request.ts';
import type { DealSettlingJob } from './settling-queue.ts';
import { decideSettling, toSettlingTransition } from './settling-rules.ts';
import { lockDealAndListing, makeTransition, stopWaiting } from './transitions.ts';

/** How long the queue has time to settle the deals of a listing before `settleMissedDeals` does it, in seconds. */
const missedAfterSeconds = 60;

const settleDeal = (app: App, id: string, isRemoving: boolean): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const locked = await lockDealAndListing(tx, id);
    if (!locked) return;
    const contact = await parties.findPartyContact(tx, locked.deal);
    const now = app.clock.now();
    const verdict = decideSettling(locked, {
      mayContact: contact.is_allowed,
      isRemoving,
      now,
      today: toCampusDay(app.config.campus, now),
      minute: toCampusMinute(app.config.campus, now),
    });
    if (verdict === 'stop_waiting') return stopWaiting(app, tx, locked.deal, now);
    const transition = verdict && toSettlingTransition(verdict, locked, now);
    // If one party has blocked the other, the event line does not count as unread for the party that blocked.
    if (transition) await makeTransition(app, tx, locked, { ...transition, silentFor: contact.blocked_by });
  });

const settle = async (app: App, settling: DealSettlingJob, isRemoving: boolean): Promise<void> => {
  const { listing_id: listingId, deal_ids: ids = [] } = settling;
  const ofListing = listingId ? await queues.listOfferAndHoldIds(app.sql, listingId) : [];
  for (const id of [...ids, ...ofListing]) await settleDeal(app, id, isRemoving);
  if (!listingId) return;
  // The question follows the line that closes the buyer's offer, because a push notification shows only the last line.
  await requestSaleConfirmation(app, listingId);
  await reportListingChanges(app, listingId);
};

/**
 * Settles the offers and holds that the job names (docs/deals.md), in one transaction per deal: ends, cancels or renews
 * them, or reports the handover. Then asks the buyer of a sold listing to confirm the sale, and tells buyers with open
 * deals how the listing changed.
 */
export const settleDeals = (app: App, settling: DealSettlingJob): Promise<void> =>
  settle(app, settling, false);

/**
 * Settles the deals of sold listings and drafts that the queue missed, and asks the buyers whom it missed: the queue
 * is empty after a backup has been restored, and the clock of the host that marked a listing as sold may be ahead.
 * Also ends the waiting requests for rental days that are over and the offers for passed games, which the passing of time
 * does not queue.
 */
export const settleMissedDeals = async (app: App): Promise<void> => {
  const { sql, clock, config } = app;
  const now = clock.now();
  const before = addSeconds(now, -(saleUndoWindowSeconds + missedAfterSeconds));
  const today = toCampusDay(config.campus, now);
  const minute = toCampusMinute(config.campus, now);
  for (const id of await queues.listUnsettledListings(sql, { before, today, minute }))
    await settleDeals(app, { listing_id: id });
  for (const id of await listUnaskedSales(sql, { before })) await settleDeals(app, { listing_id: id });
};

/** Ends the offers and the hold of a deleted listing that is about to be removed. */
export const settleRemovedListing = (app: App, listingId: string): Promise<void> =>
  settle(app, { listing_id: listingId }, true);
