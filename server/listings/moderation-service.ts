import { createProblem } from '#contract/errors.ts';
import { findProhibitedWordings, type ProhibitedWording } from '#contract/prohibited-items.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Notify } from '#server/notifications/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import {
  isCheckViolation,
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import type { ListingDeals } from './deals.ts';
import * as repository from './moderation-repository.ts';
import { needsReview } from './policy.ts';

interface ListingModerationDeps {
  sql: Sql;
  clock: Clock;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
  audit: Pick<Audit, 'note'>;
  deals: Pick<ListingDeals, 'scheduleSettling'>;
  notify: Notify;
}

/** Creates the service with which administrators take listings down and restore them. */
export const createListingModeration = ({
  sql,
  clock,
  invalidation,
  audit,
  deals,
  notify,
}: ListingModerationDeps) => {
  const getListing = async (tx: Queryable, name: string): Promise<repository.ModeratedListing> => {
    const listing = await repository.findListingForModeration(tx, name);
    if (!listing) throw createProblem('listing_not_found', { sentence: `There is no listing ${name}` });
    return listing;
  };

  /**
   * Applies `change` to a listing, adds an audit entry and notifies the owner if `change` returns true, and invalidates the
   * affected pages.
   */
  const moderate = async (
    name: string,
    event: 'listing_taken_down' | 'listing_restored',
    change: (tx: Transaction, listing: repository.ModeratedListing) => Promise<boolean>,
  ): Promise<repository.ModeratedListing> => {
    const listing = await runInTransaction(sql, async (tx) => {
      const found = await getListing(tx, name);
      if (await change(tx, found)) {
        await audit.note({ event, userId: found.user_id, detail: found.slug }, tx);
        await notify(tx, event, [{ subjectId: found.id, facts: {}, userIds: [found.user_id] }]);
      }
      return getListing(tx, found.id);
    });
    await invalidation.listingChanged(listing.id, listing.category ? [listing.category] : []);
    return listing;
  };

  /**
   * Publishes a listing again. If it is incomplete, because its owner had never published it, the database refuses to
   * publish it, and the listing stays a draft.
   */
  const publishAgain = async (tx: Transaction, listing: repository.ModeratedListing): Promise<void> => {
    const { id, user_id: userId, owner_suspended: isOwnerSuspended } = listing;
    const now = clock.now();
    try {
      await tx.savepoint((step) => repository.republishListing(step, { id, now }));
    } catch (error) {
      if (!isCheckViolation(error)) throw error;
    }
    if (isOwnerSuspended) await repository.markUserListingsHidden(tx, { userId, now });
  };

  /** Returns the wordings for which a moderator must look at a listing before it is published again. */
  const findUnapproved = (listing: repository.ModeratedListing): ProhibitedWording[] => {
    // A sold listing is offered to nobody, and is checked when it is listed again.
    if (listing.sold_at) return [];
    const found = findProhibitedWordings(listing).filter(({ isClear }) => isClear);
    return needsReview(found, listing, listing) ? found : [];
  };

  return {
    get: (name: string): Promise<repository.ModeratedListing> => getListing(sql, name),

    /**
     * Takes a listing down: the owner sees the reason and cannot publish the listing. Taking it down again changes the
     * reason.
     */
    takeDown: (name: string, reason: string): Promise<repository.ModeratedListing> =>
      moderate(name, 'listing_taken_down', async (tx, { id }) => {
        await repository.markListingHidden(tx, { id, reason, now: clock.now() });
        await deals.scheduleSettling(tx, { listing_id: id });
      }),

    /** Restores a listing that was taken down. While its owner is suspended, the listing stays hidden. */
    restore: (name: string): Promise<repository.ModeratedListing> =>
      moderate(name, 'listing_restored', async (tx, { id, hidden_with, owner_suspended }) => {
        if (hidden_with !== 'listing') return false;
        const now = clock.now();
        await repository.clearListingHidden(tx, { id, now });
        // If the owner has made the listing incomplete in the meantime, the database refuses to
        // publish it, and the listing stays a draft until the owner completes it.
        await tx
          .savepoint((step) => repository.republishListing(step, { id, now }))
          .catch((error: unknown) => {
            if (!isCheckViolation(error)) throw error;
          });
        if (owner_suspended)
          await repository.markUserListingsHidden(tx, { userId: (await getListing(tx, id)).user_id, now });
        return true;
      }),

    /** Hides all published listings of a person when the account is suspended. */
    hideAllOf: (tx: Queryable, userId: string): Promise<void> =>
      repository.markUserListingsHidden(tx, { userId, now: clock.now() }),

    /** Publishes the listings that were hidden with the account when the suspension is lifted. */
    showAllOf: (tx: Queryable, userId: string): Promise<void> => repository.republishUserListings(tx, userId),
  };
};

export type ListingModeration = ReturnType<typeof createListingModeration>;
