import { createProblem } from '#contract/errors.ts';
import { type OwnListing, restoreTooLateMessage } from '#contract/listings.ts';
import { type App, react } from '#server/app.ts';
import { queueFileRemoval } from '#server/features/photos/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { lockAndCheckSuspension, markUserListingsHidden } from './moderation-repository.ts';
import { getOwnListing, invalidatePagesWithListing } from './own-listings.ts';
import { asDeletedListing, asOwnedListing, canRestoreListing, restoreWindowSeconds } from './policy.ts';
import { queueListingRemoval } from './removal-queue.ts';
import * as repository from './repository.ts';
import { checkSameSeats } from './same-seats.ts';

// A deleted listing disappears immediately, for its owner as well, and can be restored for a few seconds; then a job
// removes its row and its files.

/** Removes a deleted listing unless it was restored or removed in the meantime; its conversations stay. */
const removeDeletedListing = async (
  app: App,
  { id, userId }: { id: string; userId: string },
): Promise<void> => {
  const attempt = () =>
    runInTransaction(app.sql, async (tx) => {
      await repository.lockListingChanges(tx, userId);
      const listing = asDeletedListing(await repository.findAndLockListing(tx, id), userId);
      if (!listing || canRestoreListing(listing, app.clock.now())) return true;
      if (!(await repository.removeListing(tx, listing))) return false;
      if (listing.photos.length > 0) await queueFileRemoval(app, tx, listing.photos);
      return true;
    });
  while (!(await attempt()));
};

/**
 * Deletes a listing; the owner can restore it for `restoreWindowSeconds`. Does nothing if the owner has already deleted
 * it, so that a request can be repeated.
 */
export const deleteListing = async (app: App, userId: string, id: string): Promise<void> => {
  const deleted = await runInTransaction(app.sql, async (tx) => {
    await repository.lockListingChanges(tx, userId);
    const found = await repository.findAndLockListing(tx, id);
    if (asDeletedListing(found, userId)) return undefined;
    const listing = asOwnedListing(found, userId);
    if (!listing) throw createProblem('listing_not_found');
    await react(app, tx, 'before_listing_deletion', { listingId: id });
    await repository.markListingDeleted(tx, listing, app.clock.now());
    await queueListingRemoval(app, tx);
    return listing;
  });
  if (deleted) await invalidatePagesWithListing(app, id, deleted);
};

/**
 * Restores a deleted listing with its earlier status; throws listing_not_found when it is too late. The listing stays
 * hidden if an administrator took it down or suspended its owner in the meantime. Does nothing if the listing is not
 * deleted, so that a request can be repeated.
 */
export const restoreDeletedListing = async (app: App, userId: string, id: string): Promise<OwnListing> => {
  const restored = await runInTransaction(app.sql, async (tx) => {
    await repository.lockListingChanges(tx, userId);
    const found = await repository.findAndLockListing(tx, id);
    if (asOwnedListing(found, userId)) return undefined;
    const listing = asDeletedListing(found, userId);
    const now = app.clock.now();
    if (!listing || !canRestoreListing(listing, now))
      throw createProblem('listing_not_found', { sentence: restoreTooLateMessage });
    const isSuspended = await lockAndCheckSuspension(tx, userId);
    await repository.restoreListing(tx, listing);
    if (isSuspended) await markUserListingsHidden(tx, { userId, now });
    if (listing.status_before_deletion === 'published') await checkSameSeats(app, tx, listing);
    // Its deals did not change while the listing was deleted.
    await react(app, tx, 'listing_available_again', { listingId: id });
    return listing;
  });
  if (restored)
    await invalidatePagesWithListing(app, id, { ...restored, status: restored.status_before_deletion });
  return getOwnListing(app, userId, id);
};

/** Removes the rows and files of deleted listings that can no longer be restored. */
export const removeDeletedListings = async (app: App): Promise<void> => {
  const { sql, clock } = app;
  const deletedBefore = addSeconds(clock.now(), -restoreWindowSeconds);
  for (const listing of await repository.listDueDeletions(sql, deletedBefore)) {
    await react(app, sql, 'before_listing_removal', { listingId: listing.id });
    await removeDeletedListing(app, listing);
  }
};
