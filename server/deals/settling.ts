import { z } from 'zod';
import { toCampusDay } from '#contract/campus.ts';
import type { DealEndCause } from '#contract/deal-lines.ts';
import { findClockTransition, isEndableDealState } from '#contract/deal-process.ts';
import { saleUndoSeconds } from '#contract/selling.ts';
import type { ListingTerms } from '#server/listings/sql.ts';
import type { Jobs, Queue } from '#server/platform/jobs.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { type AnnouncerDeps, createAnnouncer } from './announcing.ts';
import { changeNoticeDelaySeconds, createListingChanges, storePreviousTerms } from './listing-changes.ts';
import type * as listings from './listing-repository.ts';
import { assertNoRentalOut } from './listing-rules.ts';
import { listOffersAndHoldsOfPerson } from './listing-rules-repository.ts';
import * as parties from './party-repository.ts';
import * as queues from './queue-repository.ts';
import { isRentalPeriodOver, isRentedWithoutDeal } from './rental-days.ts';
import { createSteps, type LockedDeal, lockDealAndListing, type Step, type StepDeps } from './steps.ts';

/** The deals to check: those of a listing, or single ones. */
const settlingSchema = z.object({
  listing_id: z.uuid().optional(),
  deal_ids: z.array(z.uuid()).optional(),
});
export type Settling = z.infer<typeof settlingSchema>;

/**
 * Queue of the job that ends or renews offers after their listing or a party changed. What happens
 * to a deal depends on the state that the job finds, so a repeated or late run does no harm.
 */
export const dealSettlingQueue: Queue<Settling> = {
  name: 'settle-deals',
  retries: 10,
  retryDelay: 5,
  payload: settlingSchema,
};

/**
 * How long the deals of a listing stay unchanged after its owner marked it as sold, in seconds: the time
 * that the user interface offers Undo, and a margin for a late request.
 */
const saleUndoWindowSeconds = saleUndoSeconds + 10;

/** Number of deals per job; small enough that the job finishes well within its timeout. */
const dealsPerJob = 50;

/** Creates the functions with which changes to listings and accounts queue a check of their deals. */
export const createDealHooks = (jobs: Pick<Jobs, 'enqueue'>) => ({
  assertNoRentalOut,

  /** Queues a check of a listing's deals, or of single ones, in the transaction that makes it necessary. */
  scheduleSettling: (
    tx: Queryable,
    settling: { listing_id: string } | { deal_ids: string[] },
  ): Promise<void> => jobs.enqueue(tx, dealSettlingQueue, settling),

  /** Queues a check of the deals of a listing that is marked as sold, for when this can no longer be undone. */
  scheduleSaleSettling: (tx: Queryable, settling: { listing_id: string }): Promise<void> =>
    // Wait one second longer, because the database and this process may round the time differently.
    jobs.enqueue(tx, dealSettlingQueue, settling, { delaySeconds: saleUndoWindowSeconds + 1 }),

  /** Queues a check that informs the parties of a listing's open deals about a change to the listing, in its transaction. */
  scheduleChangeNotices: async (
    tx: Queryable,
    { listing_id, ...terms }: { listing_id: string; before: ListingTerms; after: ListingTerms },
  ): Promise<void> => {
    if (await storePreviousTerms(tx, listing_id, terms))
      await jobs.enqueue(tx, dealSettlingQueue, { listing_id }, { delaySeconds: changeNoticeDelaySeconds });
  },

  /** Queues a check of the person's offers and holds in the transaction that suspends or deletes the account. */
  scheduleAccountSettling: async (tx: Queryable, userId: string): Promise<void> => {
    const ids = await listOffersAndHoldsOfPerson(tx, userId);
    for (let start = 0; start < ids.length; start += dealsPerJob)
      await jobs.enqueue(tx, dealSettlingQueue, { deal_ids: ids.slice(start, start + dealsPerJob) });
  },
});

const reasons = {
  withdrawn: 'The listing was withdrawn.',
  sold: 'The item went to somebody else.',
  rented: 'The item is rented to somebody else on these days.',
} as const;

const soldCauses = { sale: 'sold', gift: 'given_away', rental: 'rented' } as const;

type Verdict =
  | { end: DealEndCause }
  | { cancel: string }
  | 'hand_over'
  | 'renew'
  | 'stop_waiting'
  | undefined;

/** Returns whether the owner may still undo that the listing was marked as sold without a deal. */
const canUndoSale = ({ sold_at: soldAt, sale_confirmed_at: confirmedAt }: listings.DealListing, now: Date) =>
  soldAt !== null && confirmedAt === null && now.getTime() - soldAt.getTime() < saleUndoWindowSeconds * 1000;

/** Decides what happens to an offer or a hold in view of its listing and its parties; undefined when nothing does. */
const decide = (
  { listing, deal }: LockedDeal,
  {
    isPartyGone,
    isRemoving,
    now,
    today,
  }: { isPartyGone: boolean; isRemoving: boolean; now: Date; today: string },
): Verdict => {
  if (!isEndableDealState(deal.state)) return undefined;
  if (isPartyGone) return { end: 'account' };
  const endOrCancel = (cause: DealEndCause, reason: string): Verdict =>
    deal.state === 'offered' ? { end: cause } : { cancel: reason };
  if (listing?.hidden_at) return { end: 'taken_down' };
  // While the deletion can be undone, the deals only wait.
  if (listing?.deleted_at && !isRemoving) return undefined;
  if (!listing || listing.deleted_at || listing.status === 'draft')
    return endOrCancel('withdrawn', reasons.withdrawn);
  const isRented = isRentedWithoutDeal(deal, today);
  if (listing.status === 'sold' || isRented) {
    if (canUndoSale(listing, now)) return undefined;
    if (listing.sold_to === deal.buyer_id) {
      if (deal.state === 'offered') return { end: 'marked_for_buyer' };
      // A buyer who objected cannot do so again, so only the seller can report the handover once more.
      return deal.has_objected ? undefined : 'hand_over';
    }
    return endOrCancel(soldCauses[deal.kind], isRented ? reasons.rented : reasons.sold);
  }
  if (deal.state === 'offered' && isRentalPeriodOver(deal, today)) return { end: 'days_over' };
  const isFree = deal.is_waiting && !deal.is_occupied && !deal.is_draw_open;
  if (deal.state !== 'offered' || !isFree) return undefined;
  return (deal.position ?? 1) === 1 ? 'renew' : 'stop_waiting';
};

const toStep = (
  verdict: Exclude<Verdict, 'stop_waiting' | undefined>,
  { deal }: LockedDeal,
  now: Date,
): Step | undefined => {
  // A deadline that has already passed takes precedence.
  if (deal.deadline_at !== null && now >= deal.deadline_at) {
    const name = findClockTransition(deal.state);
    return name && { name, actor: 'clock', now };
  }
  if (verdict === 'hand_over') return { name: 'handed_over', actor: 'seller', now };
  if (verdict === 'renew') return { name: 'renew', actor: 'server', now };
  if ('end' in verdict) return { name: 'end', actor: 'server', data: { cause: verdict.end }, now };
  return { name: 'cancel', actor: 'seller', data: { reason: verdict.cancel }, now };
};

/** Creates the functions that end or renew offers after their listing or a party changed, one transaction per deal. */
export const createSettling = (deps: StepDeps & AnnouncerDeps) => {
  const { sql, clock, campus } = deps;
  const steps = createSteps(deps);
  const listingChanges = createListingChanges(deps);
  const announce = createAnnouncer(deps);

  const settleDeal = async (id: string, isRemoving: boolean): Promise<void> => {
    const result = await runInTransaction(sql, async (tx) => {
      const locked = await lockDealAndListing(tx, id);
      if (!locked) return undefined;
      const isPartyGone = await parties.isPartyGone(tx, locked.deal);
      const now = clock.now();
      const verdict = decide(locked, { isPartyGone, isRemoving, now, today: toCampusDay(campus, now) });
      if (verdict === 'stop_waiting') return steps.stopWaiting(tx, locked.deal, now);
      const step = verdict && toStep(verdict, locked, now);
      return step && steps.take(tx, locked, step);
    });
    if (result) await announce(result);
  };

  const informOfChanges = async (listingId: string): Promise<void> => {
    for (const dealId of await listingChanges.listDealsToInform(listingId)) {
      const result = await listingChanges.inform(listingId, dealId);
      if (result) await announce(result);
    }
  };

  const settle = async (settling: Settling, isRemoving = false): Promise<void> => {
    const ofListing = settling.listing_id ? await queues.listOffersAndHolds(sql, settling.listing_id) : [];
    for (const id of [...(settling.deal_ids ?? []), ...ofListing]) await settleDeal(id, isRemoving);
    if (settling.listing_id) await informOfChanges(settling.listing_id);
  };

  return {
    /** Ends or renews the offers that the job names. */
    settle: (settling: Settling): Promise<void> => settle(settling),

    /** Ends the offers and the hold of a deleted listing that is about to be removed. */
    settleRemoved: (listingId: string): Promise<void> => settle({ listing_id: listingId }, true),
  };
};

export type DealSettling = ReturnType<typeof createSettling>;
