import { toCampusDay } from '#contract/campus.ts';
import { isNotablePriceDrop } from '#contract/saved-listings.ts';
import type { App } from '#server/app.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import * as repository from './alert-repository.ts';

/** How far back earlier prices are considered when looking for the lowest one, in seconds. */
const priceMemorySeconds = 30 * dayInSeconds;

/** Processes one change. Returns false when none is due. */
const sendNext = async (app: App, tx: Transaction): Promise<boolean> => {
  const now = app.clock.now();
  const due = await repository.takeDueSavedListingAlert(tx, now);
  if (!due) return false;
  const { listing_id: subjectId, change } = due;
  const listing = await repository.findChangedListing(tx, subjectId, {
    pricesSince: addSeconds(now, -priceMemorySeconds),
    today: toCampusDay(app.config.campus, now),
  });
  if (!listing) return true;
  const userIds = async () =>
    (await repository.listPeopleWhoSavedListing(tx, subjectId)).filter((id) => id !== listing.sold_to);
  const { status, price, lowest_before } = listing;
  if (change === 'sold' && status === 'sold')
    await notify(app, tx, 'listing_sold', [{ subjectId, facts: {}, userIds: await userIds() }]);
  if (change === 'hold_ended' && status === 'published' && !listing.is_on_hold && !listing.has_offers)
    await notify(app, tx, 'available_again', [{ subjectId, facts: {}, userIds: await userIds() }]);
  if (change === 'price' && status === 'published') {
    // Record the price, so that later comparisons do not find the same drop again.
    await repository.recordListingPrice(tx, subjectId, now);
    if (lowest_before !== null && isNotablePriceDrop(price, lowest_before, app.config.campus))
      await notify(app, tx, 'price_dropped', [
        { subjectId, facts: { price, lowest_before }, userIds: await userIds() },
      ]);
  }
  return true;
};

/**
 * Notifies people about the due changes to their saved listings. The text is based on the state of the listing at this
 * time, so a sale that was undone is not mentioned.
 */
export const sendSavedListingAlerts = async (app: App): Promise<void> => {
  while (await runInTransaction(app.sql, (tx) => sendNext(app, tx)));
};
