import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import {
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import type { DealsPort } from './deals-port.ts';
import { type ListingForModeration, toListingContent } from './listing-row.ts';
import type { ListingMatchingScheduler } from './matching-scheduler.ts';
import { lockAndCheckSuspension, markUserListingsHidden, republishListing } from './moderation-repository.ts';
import { asListingForModeration, getDrawClosingTime, isHeldForReviewSince, isSaleFinal } from './policy.ts';
import { publishWithSlug } from './publishing.ts';
import * as repository from './repository.ts';
import { clearSale } from './sale-repository.ts';
import * as reviews from './wording-review-repository.ts';

interface WordingReviewDeps {
  sql: Sql;
  clock: Clock;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
  audit: Pick<AuditTrail, 'note'>;
  deals: Pick<DealsPort, 'scheduleSettling'>;
  matching: ListingMatchingScheduler;
  notify: Notifier;
}

type ReviewEvent = 'listing_approved' | 'listing_changes_requested';

/** A moderator's decision about a listing: the change it makes, and the listings for which it is possible. */
interface Decision {
  isPossible(listing: ListingForModeration): boolean;
  change(tx: Queryable, listing: ListingForModeration): Promise<void>;
}

/**
 * Creates the service with which moderators approve a listing that is held because of its wording, or ask its owner
 * for changes.
 */
export const createWordingReviewService = (deps: WordingReviewDeps) => {
  const { sql, clock, invalidation, audit, deals, matching, notify } = deps;

  const publish = async (tx: Queryable, listing: ListingForModeration): Promise<void> => {
    const { id, user_id: userId } = listing;
    const now = clock.now();
    const isSuspended = await lockAndCheckSuspension(tx, userId);
    await reviews.approveWording(tx, id, now);
    // The buyer of a held listing can confirm its handover. It is then shown as sold.
    if (isSaleFinal(listing)) await republishListing(tx, { id, now });
    else {
      // Earlier versions held sold listings without removing the record of the sale.
      if (listing.sold_at && !listing.rented_until) await clearSale(tx, listing);
      await matching.scheduleForPublished(tx, id);
      const after = { content: toListingContent(listing), status: 'published', isClaimed: false } as const;
      const drawClosesAt = getDrawClosingTime(listing, after, now);
      await publishWithSlug(tx, listing, { title: listing.title, drawClosesAt, now });
    }
    if (isSuspended) await markUserListingsHidden(tx, { userId, now });
  };

  /**
   * Applies `change` to a listing if it is neither deleted nor taken down and `isPossible` returns true for it.
   * Notifies the owner, and queues a check of the listing's offers and holds. Returns the listing before the change,
   * or undefined when nothing changed.
   */
  const decide = async (
    tx: Queryable,
    id: string,
    event: ReviewEvent,
    { isPossible, change }: Decision,
  ): Promise<ListingForModeration | undefined> => {
    const listing = asListingForModeration(await repository.findAndLockListing(tx, id));
    if (!listing || !isPossible(listing)) return undefined;
    await change(tx, listing);
    await deals.scheduleSettling(tx, { listing_id: id });
    await notify(tx, event, [{ subjectId: id, facts: {}, userIds: [listing.user_id] }]);
    return listing;
  };

  const invalidatePages = async (listing: ListingForModeration | undefined): Promise<void> => {
    if (listing) await invalidation.listingChanged(listing.id, listing.category ? [listing.category] : []);
  };

  /** Applies a decision in its own transaction, with an audit entry. Returns whether the listing changed. */
  const decideAndAudit = async (
    id: string,
    event: ReviewEvent,
    decision: Decision,
    beforeCommit: (tx: Transaction, before: ListingForModeration) => Promise<void> = async () => {},
  ): Promise<boolean> => {
    const listing = await runInTransaction(sql, async (tx) => {
      const decided = await decide(tx, id, event, decision);
      if (!decided) return undefined;
      await audit.note({ event, userId: decided.user_id, detail: decided.slug }, tx);
      await beforeCommit(tx, decided);
      return decided;
    });
    await invalidatePages(listing);
    return listing !== undefined;
  };

  const toApproval = (decidedAt: Date, isSeen: (listing: ListingForModeration) => boolean): Decision => ({
    isPossible: (listing) => isHeldForReviewSince(listing, decidedAt) && isSeen(listing),
    change: publish,
  });

  return {
    /**
     * Publishes a held listing and records its texts as approved. Does nothing and returns false if the listing is not
     * held, or if its texts have changed after `decidedAt`, the time of the decision.
     */
    approve: (id: string, decidedAt: Date): Promise<boolean> =>
      decideAndAudit(
        id,
        'listing_approved',
        toApproval(decidedAt, () => true),
      ),

    /**
     * Approves a held listing like `approve`, but in the caller's transaction, which also writes the audit entry.
     * Returns a function that announces the change after the commit. Throws listing_changed when the listing is no
     * longer held, or when the moderator has seen another version of it.
     */
    approveWithin: async (
      tx: Queryable,
      id: string,
      { decidedAt, isSeen }: { decidedAt: Date; isSeen(listing: ListingForModeration): boolean },
    ): Promise<() => Promise<void>> => {
      const listing = await decide(tx, id, 'listing_approved', toApproval(decidedAt, isSeen));
      if (!listing) throw createProblem('listing_changed');
      return () => invalidatePages(listing);
    },

    /**
     * Makes a held or published listing a draft, and shows its owner what to change before it is published again.
     * Returns false, and does nothing, when the listing is neither or its sale is confirmed. Its offers and its hold end.
     * `beforeCommit` runs in the same transaction.
     */
    requestChanges: (
      id: string,
      reason: string,
      beforeCommit?: (tx: Transaction, before: ListingForModeration) => Promise<void>,
    ): Promise<boolean> =>
      decideAndAudit(
        id,
        'listing_changes_requested',
        {
          isPossible: (listing) =>
            (listing.status === 'in_review' || listing.status === 'published') && !isSaleFinal(listing),
          change: (tx) => reviews.requestListingChanges(tx, { id, reason, now: clock.now() }),
        },
        beforeCommit,
      ),
  };
};

export type WordingReviewService = ReturnType<typeof createWordingReviewService>;
