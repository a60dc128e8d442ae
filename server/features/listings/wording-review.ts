import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateListingPages } from '#server/pages/public.ts';
import {
  afterCommit,
  type Queryable,
  runInTransaction,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import { type ListingForModeration, toListingContent } from './listing-row.ts';
import { lockAndCheckSuspension, markUserListingsHidden, republishListing } from './moderation-repository.ts';
import { asListingForModeration, getDrawClosingTime, isHeldForReviewSince, isSaleFinal } from './policy.ts';
import { publishWithSlug } from './publishing.ts';
import * as repository from './repository.ts';
import { clearSale } from './sale-repository.ts';
import { checkSameSeats } from './same-seats.ts';
import * as reviews from './wording-review-repository.ts';

type ReviewEvent = 'listing_approved' | 'listing_changes_requested';

/** A moderator's decision about a listing: the change it makes, and the listings for which it is possible. */
interface Decision {
  event: ReviewEvent;
  isPossible(listing: ListingForModeration): boolean;
  change(tx: Queryable, listing: ListingForModeration): Promise<void>;
}

const publishHeldListing = async (app: App, tx: Queryable, listing: ListingForModeration): Promise<void> => {
  const { id, user_id: userId } = listing;
  const now = app.clock.now();
  const isSuspended = await lockAndCheckSuspension(tx, userId);
  await reviews.approveWording(tx, id, now);
  // The buyer of a held listing can confirm its handover. It is then shown as sold.
  if (isSaleFinal(listing)) await republishListing(tx, { id, now });
  else {
    // Earlier versions held sold listings without removing the record of the sale.
    if (listing.sold_at && !listing.rented_until) await clearSale(tx, listing);
    await react(app, tx, 'listing_published', { listingId: id });
    const after = { content: toListingContent(listing), status: 'published', isClaimed: false } as const;
    const drawClosesAt = getDrawClosingTime(listing, after, now);
    await publishWithSlug(app, tx, listing, { title: listing.title, drawClosesAt, now });
  }
  if (isSuspended) await markUserListingsHidden(tx, { userId, now });
  await checkSameSeats(app, tx, listing);
  await react(app, tx, 'listing_available_again', { listingId: id });
};

/**
 * Makes a decision about a listing if it is neither deleted nor taken down and the decision is possible, and notifies
 * the owner. Returns the listing before the change, or undefined when nothing changed.
 */
const decide = async (
  app: App,
  tx: Queryable,
  id: string,
  { event, isPossible, change }: Decision,
): Promise<ListingForModeration | undefined> => {
  const listing = asListingForModeration(await repository.findAndLockListing(tx, id));
  if (!listing || !isPossible(listing)) return undefined;
  await change(tx, listing);
  await notify(app, tx, event, [{ subjectId: id, facts: {}, userIds: [listing.user_id] }]);
  return listing;
};

const invalidatePages = (app: App, { id, category }: ListingForModeration): Promise<void> =>
  invalidateListingPages(app, id, category ? [category] : []);

/** Makes a decision in its own transaction, with an audit entry. Returns whether the listing changed. */
const decideAndAudit = async (
  app: App,
  id: string,
  decision: Decision,
  beforeCommit: (tx: Transaction, before: ListingForModeration) => Promise<void> = async () => {},
): Promise<boolean> => {
  const listing = await runInTransaction(app.sql, async (tx) => {
    const decided = await decide(app, tx, id, decision);
    if (!decided) return undefined;
    const entry = { event: decision.event, userId: decided.user_id, detail: decided.slug };
    await noteSecurityEvent(app, entry, tx);
    await beforeCommit(tx, decided);
    return decided;
  });
  if (listing) await invalidatePages(app, listing);
  return listing !== undefined;
};

const toApproval = (
  app: App,
  decidedAt: Date,
  isSeen: (listing: ListingForModeration) => boolean,
): Decision => ({
  event: 'listing_approved',
  isPossible: (listing) => isHeldForReviewSince(listing, decidedAt) && isSeen(listing),
  change: (tx, listing) => publishHeldListing(app, tx, listing),
});

/**
 * Publishes a held listing and records its texts as approved. Does nothing and returns false if the listing is not
 * held, or if its texts have changed after `decidedAt`, the time of the decision.
 */
export const approveListing = (app: App, id: string, decidedAt: Date): Promise<boolean> =>
  decideAndAudit(
    app,
    id,
    toApproval(app, decidedAt, () => true),
  );

/**
 * Approves a held listing like `approveListing`, but in the caller's transaction of `runInTransaction`, which also writes
 * the audit entry. Pages are invalidated after the commit. Throws listing_changed when the listing is no longer held, or
 * when the moderator has seen another version of it.
 */
export const approveListingWithin = async (
  app: App,
  tx: Queryable,
  id: string,
  { decidedAt, isSeen }: { decidedAt: Date; isSeen(listing: ListingForModeration): boolean },
): Promise<void> => {
  const listing = await decide(app, tx, id, toApproval(app, decidedAt, isSeen));
  if (!listing) throw createProblem('listing_changed');
  afterCommit(tx, () => invalidatePages(app, listing));
};

/**
 * Makes a held or published listing a draft, and shows its owner what to change before it is published again.
 * Returns false, and does nothing, when the listing is neither or its sale is confirmed. Its offers and its hold end.
 * `beforeCommit` runs in the same transaction.
 */
export const requestListingChanges = (
  app: App,
  id: string,
  reason: string,
  beforeCommit?: (tx: Transaction, before: ListingForModeration) => Promise<void>,
): Promise<boolean> =>
  decideAndAudit(
    app,
    id,
    {
      event: 'listing_changes_requested',
      isPossible: (listing) =>
        (listing.status === 'in_review' || listing.status === 'published') && !isSaleFinal(listing),
      change: async (tx) => {
        await reviews.requestListingChanges(tx, { id, reason, now: app.clock.now() });
        await react(app, tx, 'listing_taken_down', { listingId: id });
      },
    },
    beforeCommit,
  );
