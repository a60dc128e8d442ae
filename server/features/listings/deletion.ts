import type { Category } from '#contract/categories.ts';
import { createProblem } from '#contract/errors.ts';
import { type ListingStatus, restoreTooLateMessage } from '#contract/listings.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { DealsPort } from './deals-port.ts';
import { lockAndCheckSuspension, markUserListingsHidden } from './moderation-repository.ts';
import { asDeletedListing, asOwnedListing, canRestoreListing, restoreWindowSeconds } from './policy.ts';
import * as repository from './repository.ts';

interface DeletionDeps {
  sql: Sql;
  clock: Clock;
  /** Queues files for reliable removal soon after the transaction commits. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
  deals: Pick<DealsPort, 'assertMayDelete' | 'scheduleSettling' | 'settleRemoved'>;
  /** Queues a run of `removeDeleted` for the time at which a listing that is deleted now can no longer be restored. */
  scheduleListingRemoval(tx: Queryable): Promise<void>;
  /** Invalidates the pages that show a listing with this status and category. */
  invalidatePages(id: string, shown: { status: ListingStatus; category: Category | null }): Promise<void>;
}

/**
 * Creates the functions that delete listings. A deleted listing disappears immediately, for its owner as well, and can
 * be restored for a few seconds; then a job removes its row and its files.
 */
export const createListingDeletion = ({
  sql,
  clock,
  deals,
  removeFiles,
  scheduleListingRemoval,
  invalidatePages,
}: DeletionDeps) => {
  /** Removes a deleted listing unless it was restored or removed in the meantime; its conversations stay. */
  const removeOne = async ({ id, userId }: { id: string; userId: string }): Promise<void> => {
    const attempt = () =>
      runInTransaction(sql, async (tx) => {
        await repository.lockUserListings(tx, userId);
        const listing = asDeletedListing(await repository.findAndLockListing(tx, id), userId);
        if (!listing || canRestoreListing(listing, clock.now())) return true;
        if (!(await repository.removeListing(tx, listing))) return false;
        if (listing.photos.length > 0) await removeFiles(tx, listing.photos);
        return true;
      });
    while (!(await attempt()));
  };

  return {
    /**
     * Deletes a listing; the owner can restore it for `restoreWindowSeconds`. Does nothing if the
     * owner has already deleted it, so that a request can be repeated.
     */
    remove: async (userId: string, id: string): Promise<void> => {
      const deleted = await runInTransaction(sql, async (tx) => {
        await repository.lockUserListings(tx, userId);
        const found = await repository.findAndLockListing(tx, id);
        if (asDeletedListing(found, userId)) return undefined;
        const listing = asOwnedListing(found, userId);
        if (!listing) throw createProblem('listing_not_found');
        await deals.assertMayDelete(tx, id);
        await repository.markListingDeleted(tx, listing, clock.now());
        await scheduleListingRemoval(tx);
        return listing;
      });
      if (deleted) await invalidatePages(id, deleted);
    },

    /**
     * Restores a deleted listing with its earlier status. The listing stays hidden if an
     * administrator took it down or suspended its owner in the meantime. Does nothing if the
     * listing is not deleted, so that a request can be repeated.
     */
    restore: async (userId: string, id: string): Promise<void> => {
      const restored = await runInTransaction(sql, async (tx) => {
        await repository.lockUserListings(tx, userId);
        const found = await repository.findAndLockListing(tx, id);
        if (asOwnedListing(found, userId)) return undefined;
        const listing = asDeletedListing(found, userId);
        const now = clock.now();
        if (!listing || !canRestoreListing(listing, now))
          throw createProblem('listing_not_found', { sentence: restoreTooLateMessage });
        const isSuspended = await lockAndCheckSuspension(tx, userId);
        await repository.restoreListing(tx, listing);
        if (isSuspended) await markUserListingsHidden(tx, { userId, now });
        // Its deals did not change while the listing was deleted.
        await deals.scheduleSettling(tx, { listing_id: id });
        return listing;
      });
      if (restored) await invalidatePages(id, { ...restored, status: restored.status_before_deletion });
    },

    /** Removes the rows and files of deleted listings that can no longer be restored. */
    removeDeleted: async (): Promise<void> => {
      const deletedBefore = addSeconds(clock.now(), -restoreWindowSeconds);
      for (const listing of await repository.listDueDeletions(sql, deletedBefore)) {
        await deals.settleRemoved(listing.id);
        await removeOne(listing);
      }
    },
  };
};
