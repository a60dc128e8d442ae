import { toCampusDay } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { type MarkSoldBody, type OwnListing, saleErrorMessages } from '#contract/listings.ts';
import type { PublicUser } from '#contract/profiles.ts';
import { canUndoSale, maxRecipientCandidates, maxRentedDaysAhead } from '#contract/selling.ts';
import { type App, react } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { afterCommit, type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import type { OwnedListing } from './listing-row.ts';
import { getOwnListing, invalidatePagesWithListing, lockOwnedListing } from './own-listings.ts';
import { asListingSoldTo, canConfirmOrDenySale, isWithdrawn } from './policy.ts';
import * as listings from './repository.ts';
import * as repository from './sale-repository.ts';
import { checkSameSeats } from './same-seats.ts';
import { assertTicketsPublishable } from './ticket-price.ts';
import { findWordingToReview, holdForReview } from './wording-check.ts';

const assertValidDay = (
  { clock, config: { campus } }: App,
  listing: OwnedListing,
  until: string | null | undefined,
): void => {
  if (!until) return;
  if (listing.category !== 'rentals') throw createFieldProblem({ until: saleErrorMessages.untilOfSale });
  if (until < toCampusDay(campus, clock.now()))
    throw createFieldProblem({ until: saleErrorMessages.untilPast });
  if (until > toCampusDay(campus, addSeconds(clock.now(), maxRentedDaysAhead * dayInSeconds)))
    throw createFieldProblem({ until: saleErrorMessages.untilFar });
};

const assertMayName = async (tx: Queryable, listingId: string, userId: string): Promise<void> => {
  const person = await repository.findBuyerContact(tx, { listingId, userId });
  if (!person) throw createFieldProblem({ to_user_id: saleErrorMessages.person });
  if (!person.may_contact) throw createProblem('contact_refused');
};

/** Marks a listing as sold in the caller's transaction (see `markOwnListingSold`). */
export const markSoldWithin = async (
  app: App,
  tx: Queryable,
  listing: OwnedListing,
  { to_user_id: soldTo = null, until = null }: MarkSoldBody,
): Promise<void> => {
  if (listing.status !== 'published' && listing.status !== 'sold' && !isWithdrawn(listing))
    throw createProblem('listing_not_published');
  if (listing.status === 'sold' && listing.sale_confirmed_at) throw createProblem('sale_confirmed');
  assertValidDay(app, listing, until);
  const { id: listingId } = listing;
  await react(app, tx, 'before_listing_withdrawal', { listingId, exceptBuyerId: soldTo ?? undefined });
  if (soldTo) await assertMayName(tx, listingId, soldTo);
  const now = app.clock.now();
  await repository.markListingSold(tx, listing, { soldTo, until, isConfirmed: false, now });
  await react(app, tx, 'listing_sold', { listingId, until });
};

/**
 * Changes the sale of one of the person's listings in a transaction. Reports the change for the person who had got the
 * listing before, and for `asked`, the person who must now say whether they got it.
 */
const changeSale = async (
  app: App,
  userId: string,
  id: string,
  change: (tx: Queryable, listing: OwnedListing) => Promise<{ asked: string | null } | undefined>,
): Promise<OwnListing> => {
  await runInTransaction(app.sql, async (tx) => {
    await listings.lockListingChanges(tx, userId);
    const listing = await lockOwnedListing(app, tx, userId, id);
    const changed = await change(tx, listing);
    if (!changed) return;
    afterCommit(tx, () => invalidatePagesWithListing(app, id, { ...listing, status: 'sold' }));
    for (const buyerId of new Set([listing.sold_to, changed.asked]))
      if (buyerId) await react(app, tx, 'sale_changed', { listingId: id, buyerId });
  });
  return getOwnListing(app, userId, id);
};

/**
 * Marks a listing as sold, given away, or rented (until a day, or permanently), without a deal. If the request names
 * the person who got it, that person has to confirm the sale; otherwise, it went to somebody unknown to the site.
 */
export const markOwnListingSold = (
  app: App,
  userId: string,
  id: string,
  sale: MarkSoldBody,
): Promise<OwnListing> =>
  changeSale(app, userId, id, async (tx, listing) => {
    await markSoldWithin(app, tx, listing, sale);
    return { asked: sale.to_user_id ?? null };
  });

/**
 * Publishes a sold or rented listing again, unless somebody has confirmed the sale. Undoing the sale of a paused listing
 * pauses it again.
 */
export const relistOwnListing = (app: App, userId: string, id: string): Promise<OwnListing> =>
  changeSale(app, userId, id, async (tx, listing) => {
    const isPublic = listing.status === 'published' || listing.status === 'sold';
    if (!isPublic || !listing.sold_at) return undefined;
    if (listing.sale_confirmed_at) throw createProblem('sale_confirmed');
    const now = app.clock.now();
    // Undoing a sale to the buyer of an unconfirmed handover only restores the hold of that deal.
    const isUndo = canUndoSale(listing, now);
    const exceptBuyerId = isUndo ? (listing.sold_to ?? undefined) : undefined;
    await react(app, tx, 'before_listing_withdrawal', { listingId: id, exceptBuyerId });
    assertTicketsPublishable(app, listing);
    const found = await findWordingToReview(tx, listing, { ownerId: userId, before: listing });
    const status = await repository.relistListing(tx, listing, { now, isUndo });
    if (status === 'draft') return { asked: null };
    if (found.length > 0) await holdForReview(app, tx, listing, { before: listing, found });
    else if (listing.status === 'sold') await react(app, tx, 'listing_published', { listingId: id });
    if (status === 'published') await checkSameSeats(app, tx, listing);
    await react(app, tx, 'listing_available_again', { listingId: id });
    return { asked: null };
  });

/** Lists the people who wrote about the person's listing and may be contacted, latest first. */
export const listInterestedPeople = async (app: App, userId: string, id: string): Promise<PublicUser[]> => {
  await getOwnListing(app, userId, id);
  return repository.listInterestedPeople(app.sql, id, maxRecipientCandidates);
};

/**
 * Confirms or denies that a listing was sold to this person. A confirmed sale becomes a completed deal. Confirming it
 * twice does nothing.
 */
export const answerSale = (app: App, userId: string, id: string, isConfirmed: boolean): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const listing = asListingSoldTo(await listings.findAndLockListing(tx, id), userId);
    if (!listing) throw createProblem('listing_not_found');
    if (listing.sale_confirmed_at) {
      if (!isConfirmed) throw createProblem('sale_confirmed');
      return;
    }
    await react(app, tx, 'before_sale_answer', { listingId: id, buyerId: userId });
    const now = app.clock.now();
    if (!canConfirmOrDenySale(listing, now)) throw createProblem('sale_answer_late');
    if (!isConfirmed) return repository.removeBuyer(tx, id);
    await repository.confirmSale(tx, id, now);
    await react(app, tx, 'sale_confirmed', { listing, buyerId: userId, now });
  });
