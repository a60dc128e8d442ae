import { createProblem } from '#contract/errors.ts';
import type { ListingStatus } from '#contract/listings.ts';
import { findGuidelineViolations, type GuidelineViolation } from '#contract/prohibited-items.ts';
import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateListingPages } from '#server/pages/public.ts';
import {
  afterCommit,
  isCheckViolation,
  type Queryable,
  runInTransaction,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import * as repository from './moderation-repository.ts';
import { isSaleFinal, needsWordingReview } from './policy.ts';
import { checkSameSeats } from './same-seats.ts';
import { formatHoldReason } from './wording-check.ts';
import { holdListingForReview, requestListingChanges } from './wording-review-repository.ts';

/** Runs in the transaction of a change; `before.status` is the status that the owner had given the listing. */
type BeforeCommit = (tx: Transaction, before: { status: ListingStatus }) => Promise<void>;

/**
 * The result of restoring a listing. `status` is the new status that its owner must be told, or undefined when nothing
 * was restored or the listing stays hidden with its suspended owner. `holdDetail` is what moderators must be told
 * about a listing that is held for review.
 */
interface Restoration {
  status?: ListingStatus;
  holdDetail?: string;
}

const getListing = async (tx: Queryable, name: string): Promise<repository.ModeratedListing> => {
  const listing = await repository.findListingForModeration(tx, name);
  if (!listing) throw createProblem('listing_not_found', { sentence: `There is no listing ${name}` });
  return listing;
};

const invalidatePages = (
  app: App,
  { id, category }: Pick<repository.ModeratedListing, 'id' | 'category'>,
): Promise<void> => invalidateListingPages(app, id, category ? [category] : []);

/**
 * Applies `change` to a listing, adds an audit entry and notifies the owner if `change` returns true, and invalidates the
 * affected pages.
 */
const moderate = async (
  app: App,
  name: string,
  event: 'listing_taken_down' | 'listing_restored',
  change: (tx: Transaction, listing: repository.ModeratedListing) => Promise<boolean>,
  beforeCommit: BeforeCommit = async () => {},
): Promise<repository.ModeratedListing> => {
  const listing = await runInTransaction(app.sql, async (tx) => {
    const found = await getListing(tx, name);
    if (await change(tx, found)) {
      await noteSecurityEvent(app, { event, userId: found.user_id, detail: found.slug }, tx);
      await notify(app, tx, event, [{ subjectId: found.id, facts: {}, userIds: [found.user_id] }]);
      await beforeCommit(tx, { status: found.hidden_with === 'account' ? 'published' : found.status });
    }
    return getListing(tx, found.id);
  });
  await invalidatePages(app, listing);
  return listing;
};

const takeDown = async (
  app: App,
  tx: Transaction,
  { id, hidden_with: hiddenWith }: repository.ModeratedListing,
  { reason, now }: { reason: string; now: Date },
): Promise<void> => {
  if (hiddenWith === 'listing') return repository.changeHiddenReason(tx, { id, reason });
  await repository.markListingHidden(tx, { id, reason, now });
  await react(app, tx, 'listing_taken_down', { listingId: id });
};

/**
 * Publishes a listing again. If it is incomplete, because its owner had never published it, the database refuses to
 * publish it, and the listing stays a draft.
 */
const publishAgain = async (
  app: App,
  tx: Transaction,
  listing: repository.ModeratedListing,
): Promise<void> => {
  const { id, user_id: userId, owner_suspended: isOwnerSuspended } = listing;
  const now = app.clock.now();
  try {
    await tx.savepoint((step) => repository.republishListing(step, { id, now }));
  } catch (error) {
    if (!isCheckViolation(error)) throw error;
  }
  if (isOwnerSuspended) await repository.markUserListingsHidden(tx, { userId, now });
  await checkSameSeats(app, tx, listing);
};

/** Returns the guideline violations that require a moderator's review of a listing before it is published again. */
const findUnapproved = (listing: repository.ModeratedListing): GuidelineViolation[] => {
  // A sold listing needs no check: its wording is checked when it is offered again.
  if (listing.sold_at) return [];
  const found = findGuidelineViolations(listing).filter(({ isClear }) => isClear);
  return needsWordingReview(found, listing, listing) ? found : [];
};

const changeWithin = async (
  app: App,
  tx: Transaction,
  id: string,
  change: (listing: repository.ModeratedListing) => Promise<void>,
): Promise<void> => {
  const listing = await repository.findListingForModeration(tx, id);
  // Its owner deleted the listing after the decision, and it has been removed.
  if (!listing) return;
  await change(listing);
  afterCommit(tx, () => invalidatePages(app, listing));
};

/** Returns a listing by id or slug, as moderators see it. Throws listing_not_found when there is none. */
export const getModeratedListing = ({ sql }: App, name: string): Promise<repository.ModeratedListing> =>
  getListing(sql, name);

/**
 * Takes a listing down: the owner sees the reason and cannot publish the listing. Taking it down again changes the
 * reason.
 */
export const takeDownListing = (
  app: App,
  name: string,
  reason: string,
  beforeCommit?: BeforeCommit,
): Promise<repository.ModeratedListing> =>
  moderate(
    app,
    name,
    'listing_taken_down',
    async (tx, listing) => {
      await takeDown(app, tx, listing, { reason, now: app.clock.now() });
      return true;
    },
    beforeCommit,
  );

/**
 * Restores a listing that was taken down. It stays a draft if `wasDraft` returns true because its owner had not
 * submitted it, if moderators still request changes, if its owner changed it since, or if its wording has to be
 * checked. While its owner is suspended, the listing stays hidden.
 */
export const restoreListing = (
  app: App,
  name: string,
  {
    wasDraft = async () => false,
    findRequestedChanges = async () => null,
    beforeCommit,
  }: {
    wasDraft?(tx: Transaction): Promise<boolean>;
    findRequestedChanges?(tx: Transaction): Promise<string | null>;
    beforeCommit?: BeforeCommit;
  } = {},
): Promise<repository.ModeratedListing> =>
  moderate(
    app,
    name,
    'listing_restored',
    async (tx, listing) => {
      if (listing.hidden_with !== 'listing') return false;
      const isOwnersDraft = await wasDraft(tx);
      const requestedChanges = await findRequestedChanges(tx);
      const now = app.clock.now();
      await repository.clearModerationDecision(tx, { id: listing.id, requestedChanges, now });
      const isUnchanged = listing.hidden_at !== null && listing.updated_at <= listing.hidden_at;
      const isPublishable = isUnchanged && !isOwnersDraft && requestedChanges === null;
      if (isPublishable && findUnapproved(listing).length === 0) await publishAgain(app, tx, listing);
      return true;
    },
    beforeCommit,
  );

// The functions below run in the caller's transaction of `runInTransaction`, which also writes the audit entry and notifies
// the owner. Pages are invalidated after the commit.

/** Takes a listing down. `now` is when the decision took effect. Does nothing if the listing has been removed. */
export const takeDownListingWithin = (
  app: App,
  tx: Transaction,
  id: string,
  decision: { reason: string; now: Date },
): Promise<void> => changeWithin(app, tx, id, (listing) => takeDown(app, tx, listing, decision));

/** Changes the reason why a listing is taken down. */
export const changeTakeDownReasonWithin = (tx: Transaction, id: string, reason: string): Promise<void> =>
  repository.changeHiddenReason(tx, { id, reason });

/**
 * Makes a listing a draft. The owner can publish the listing again at any time. Throws action_not_possible when it is
 * taken down or its sale is confirmed.
 */
export const requestListingChangesWithin = (
  app: App,
  tx: Transaction,
  id: string,
  reason: string,
): Promise<void> =>
  changeWithin(app, tx, id, async (listing) => {
    if (listing.hidden_with === 'listing' || isSaleFinal(listing))
      throw createProblem('action_not_possible', {
        sentence: 'The listing is taken down, or its sale is confirmed.',
      });
    await requestListingChanges(tx, { id, reason, now: app.clock.now() });
    await react(app, tx, 'listing_taken_down', { listingId: id });
  });

/**
 * Reverses `takeDownListingWithin` and `requestListingChangesWithin`, unless the owner has published the listing in the
 * meantime. If `wasSubmitted` returns true, meaning that the owner had submitted the listing in its current version,
 * publishes it again, or holds it for review if its wording requires that. Otherwise the listing stays a draft. So does
 * one that the owner has deleted, because the owner may undo that, and one with `requestedChanges`, which are the changes
 * that are still requested. Returns the new status and, for a held listing, what to tell the moderators.
 */
export const restoreListingWithin = async (
  app: App,
  tx: Transaction,
  id: string,
  {
    requestedChanges,
    wasSubmitted,
  }: { requestedChanges: string | null; wasSubmitted(listing: repository.ModeratedListing): boolean },
): Promise<Restoration> => {
  const listing = await repository.findListingForModeration(tx, id);
  const isRestorable = listing?.hidden_with === 'listing' || listing?.requested_changes;
  if (!listing || !isRestorable) return {};
  const now = app.clock.now();
  await repository.clearModerationDecision(tx, { id, requestedChanges, now });
  const isPublishable = !listing.deleted_at && requestedChanges === null && wasSubmitted(listing);
  const found = isPublishable ? findUnapproved(listing) : [];
  if (found.length > 0) await holdListingForReview(tx, id, now);
  else if (isPublishable) await publishAgain(app, tx, listing);
  afterCommit(tx, () => invalidatePages(app, listing));
  const restored = await getListing(tx, id);
  return {
    // Report no new status while the listing stays hidden because its owner is suspended.
    ...(restored.hidden_at === null && { status: restored.status }),
    ...(found.length > 0 && { holdDetail: formatHoldReason(found) }),
  };
};

/** Hides all published listings of a person when the account is suspended. */
export const hideListingsOf = ({ clock }: App, tx: Queryable, userId: string): Promise<void> =>
  repository.markUserListingsHidden(tx, { userId, now: clock.now() });

/** Publishes the listings that were hidden with the account when the suspension is lifted. */
export const showListingsOf = (tx: Queryable, userId: string): Promise<void> =>
  repository.republishUserListings(tx, userId);
