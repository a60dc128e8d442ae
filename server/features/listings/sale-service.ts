import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { Category } from '#contract/categories.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { type ListingStatus, type MarkSoldBody, saleErrorMessages } from '#contract/listings.ts';
import type { PublicUser } from '#contract/profiles.ts';
import {
  canUndoSale,
  maxRecipientCandidates,
  maxRentedDaysAhead,
  saleUndoSeconds,
} from '#contract/selling.ts';
import { queueSavedListingAlert } from '#server/features/saved-listings/public.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { DealsPort } from './deals-port.ts';
import type { OwnedListing } from './listing-row.ts';
import type { ListingMatchingScheduler } from './matching-scheduler.ts';
import { asListingSoldTo, canConfirmOrDenySale } from './policy.ts';
import * as listings from './repository.ts';
import * as repository from './sale-repository.ts';
import type { WordingCheck } from './wording-check.ts';

interface SaleDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  deals: Pick<
    DealsPort,
    'scheduleSettling' | 'scheduleSaleSettling' | 'recordSale' | 'assertNotHandedOver' | 'assertSaleNotInDeal'
  >;
  matching: Pick<ListingMatchingScheduler, 'scheduleForPublished'>;
  wording: WordingCheck;
  /**
   * Returns the caller's listing, locked until the transaction ends. Throws listing_not_found when the caller has no
   * such listing.
   */
  getOwned(tx: Queryable, userId: string, id: string): Promise<OwnedListing>;
  /** Announces to a person that their conversation about a listing as its buyer has changed. */
  announceChangeAbout(listingId: string, buyerId: string): Promise<void>;
  /** Invalidates the pages that show a listing with this status and category. */
  invalidatePages(id: string, shown: { status: ListingStatus; category: Category | null }): Promise<void>;
}

/** Creates the functions that mark listings as sold, rented or given away without a deal. */
export const createListingSaleService = (deps: SaleDeps) => {
  const { sql, clock, campus, deals, matching, wording, getOwned, announceChangeAbout, invalidatePages } =
    deps;
  const assertValidDay = (listing: OwnedListing, until: string | null | undefined): void => {
    if (!until) return;
    if (listing.category !== 'rentals') throw createFieldProblem({ until: saleErrorMessages.untilOfSale });
    if (until < toCampusDay(campus, clock.now()))
      throw createFieldProblem({ until: saleErrorMessages.untilPast });
    if (until > toCampusDay(campus, addSeconds(clock.now(), maxRentedDaysAhead * dayInSeconds)))
      throw createFieldProblem({ until: saleErrorMessages.untilFar });
  };

  /**
   * Changes one of the caller's listings in a transaction. Then announces the change to the person who had
   * got the listing before, and to `asked`, the person who must now say whether they got it.
   */
  const change = async (
    userId: string,
    id: string,
    apply: (tx: Queryable, listing: OwnedListing) => Promise<{ asked: string | null } | undefined>,
  ): Promise<void> => {
    const changed = await sql.begin(async (tx) => {
      await listings.lockUserListings(tx, userId);
      const listing = await getOwned(tx, userId, id);
      const result = await apply(tx, listing);
      return result && { listing, people: new Set([listing.sold_to, result.asked]) };
    });
    if (!changed) return;
    await invalidatePages(id, { ...changed.listing, status: 'sold' });
    for (const person of changed.people) if (person) await announceChangeAbout(id, person);
  };

  return {
    /**
     * Marks a listing as sold, given away, or rented (until a day, or permanently). If the request names the person
     * who got it, that person has to confirm the sale; otherwise, it went to somebody unknown to the site.
     */
    markSold: (userId: string, id: string, { to_user_id: soldTo, until }: MarkSoldBody): Promise<void> =>
      change(userId, id, async (tx, listing) => {
        if (listing.status !== 'published' && listing.status !== 'sold')
          throw createProblem('listing_not_published');
        if (listing.status === 'sold' && listing.sale_confirmed_at) throw createProblem('sale_confirmed');
        assertValidDay(listing, until);
        await deals.assertNotHandedOver(tx, { listingId: id, exceptBuyerId: soldTo ?? undefined });
        if (soldTo) {
          const person = await repository.findBuyerContact(tx, { listingId: id, userId: soldTo });
          if (!person) throw createFieldProblem({ to_user_id: saleErrorMessages.person });
          if (!person.may_contact) throw createProblem('contact_refused');
        }
        await repository.markListingSold(tx, listing, {
          soldTo: soldTo ?? null,
          until: until ?? null,
          isConfirmed: false,
          now: clock.now(),
        });
        await deals.scheduleSaleSettling(tx, { listing_id: id });
        if (!until) {
          const dueAt = addSeconds(clock.now(), saleUndoSeconds);
          await queueSavedListingAlert(tx, { listingId: id, change: 'sold', dueAt });
        }
        return { asked: soldTo ?? null };
      }),

    /** Publishes a sold or rented listing again, unless somebody has confirmed the sale. */
    relist: (userId: string, id: string): Promise<void> =>
      change(userId, id, async (tx, listing) => {
        const isPublic = listing.status === 'published' || listing.status === 'sold';
        if (!isPublic || !listing.sold_at) return undefined;
        if (listing.sale_confirmed_at) throw createProblem('sale_confirmed');
        // Undoing a sale to the buyer of an unconfirmed handover only restores the hold of that deal.
        const exceptBuyerId = canUndoSale(listing, clock.now()) ? (listing.sold_to ?? undefined) : undefined;
        await deals.assertNotHandedOver(tx, { listingId: id, exceptBuyerId });
        const found = await wording.check(tx, listing, { ownerId: userId, before: listing });
        await repository.relistListing(tx, listing, clock.now());
        if (found.length > 0) await wording.hold(tx, listing, { before: listing, found });
        else if (listing.status === 'sold') await matching.scheduleForPublished(tx, id);
        await deals.scheduleSettling(tx, { listing_id: id });
        return { asked: null };
      }),

    /** Lists the people who wrote about the caller's listing and may be contacted, latest first. */
    listInterested: async (userId: string, id: string): Promise<PublicUser[]> => {
      const today = toCampusDay(campus, clock.now());
      if (!(await listings.findOwnListing(sql, { userId, id, today })))
        throw createProblem('listing_not_found');
      return repository.listInterestedPeople(sql, id, maxRecipientCandidates);
    },

    /**
     * Confirms or denies that a listing was sold to the caller. A confirmed sale becomes a completed
     * deal. Confirming it twice does nothing.
     */
    answerSale: async (userId: string, id: string, isConfirmed: boolean): Promise<void> => {
      const announce = await runInTransaction(sql, async (tx) => {
        const listing = asListingSoldTo(await listings.findAndLockListing(tx, id), userId);
        if (!listing) throw createProblem('listing_not_found');
        if (listing.sale_confirmed_at) {
          if (!isConfirmed) throw createProblem('sale_confirmed');
          return undefined;
        }
        await deals.assertSaleNotInDeal(tx, { listingId: id, buyerId: userId });
        const now = clock.now();
        if (!canConfirmOrDenySale(listing, now)) throw createProblem('sale_answer_late');
        if (!isConfirmed) {
          await repository.removeBuyer(tx, id);
          return undefined;
        }
        await repository.confirmSale(tx, id, now);
        return deals.recordSale(tx, { listing, buyerId: userId, now });
      });
      await announce?.();
    },
  };
};
