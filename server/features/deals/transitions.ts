import { formatDealEventLine } from '#contract/deal-event-lines.ts';
import { findTransition, isNonPartyActor } from '#contract/deal-process.ts';
import { type DealParty, isReservingDealState } from '#contract/deal-states.ts';
import type { DealTransition, DealTransitionName, NonPartyActor } from '#contract/deal-transitions.ts';
import type { App } from '#server/app.ts';
import type { ConversationChange, NewEventLine } from '#server/features/conversations/public.ts';
import { appendEventLine, appendLaterEventLine } from '#server/features/conversations/public.ts';
import { markListingSold } from '#server/features/listings/public.ts';
import { queueSavedListingAlert } from '#server/features/saved-listings/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { announceDealChange } from './announcing.ts';
import { computeDeadline } from './deadlines.ts';
import { deriveEventLineId } from './event-line-id.ts';
import { mailHandoverChange } from './handover-mails.ts';
import * as listings from './listing-repository.ts';
import { findNextNoticeTime } from './notices.ts';
import {
  type AppliedTransition,
  applyTransition,
  type DealRow,
  getPartyId,
  type TransitionData,
  toDealEventLine,
} from './process.ts';
import * as queues from './queue-repository.ts';
import * as repository from './repository.ts';
import { scheduleSettling } from './settling-queue.ts';
import { findLatestHoldEnd } from './ticket-deals.ts';

/** A deal and its listing, locked until the transaction ends. */
export interface LockedDeal {
  /** The listing of the deal, or undefined when it was removed. */
  listing: listings.DealListing | undefined;
  deal: repository.DealWithContext;
}

export interface TransitionRecord {
  /**
   * The idempotency key of a person's transition, or undefined for transitions of the server, whose key is derived from
   * the deal and the number of the transition.
   */
  clientId?: string;
  messageText?: string | undefined;
  /** A party that did not act, but for whom the event line does not count as unread. */
  silentFor?: string | null;
  now: Date;
}

/** A transition to make: its name, who makes it, and what is recorded. */
export interface RequestedTransition extends TransitionRecord {
  name: DealTransitionName;
  actor: DealParty | NonPartyActor;
  data?: TransitionData;
}

/** Locks deals and their listings until the transaction ends. Leaves out deals that do not exist. */
export const lockDealsAndListings = async (tx: Queryable, ids: readonly string[]): Promise<LockedDeal[]> => {
  // Send both statements at once. PostgreSQL runs them in this order, so the listings are locked before the deals.
  const [lockedListings, deals] = await Promise.all([
    listings.lockListingsOfDeals(tx, ids),
    repository.lockDeals(tx, ids),
  ]);
  return deals.map((deal) => ({ listing: lockedListings.find(({ id }) => id === deal.listing_id), deal }));
};

/** Locks a deal and its listing until the transaction ends. Returns undefined when there is no such deal. */
export const lockDealAndListing = async (tx: Queryable, id: string): Promise<LockedDeal | undefined> =>
  (await lockDealsAndListings(tx, [id]))[0];

/** Returns whether a deal is the claim drawn first, and has not changed since the draw. */
const isDrawn = (deal: DealRow | null): boolean => deal?.draw_rank === 1 && deal.number === 1;

const toConversationChanges = <Party extends 'buyer_id' | 'seller_id'>(
  deal: Pick<DealRow, 'conversation_id' | Party>,
  parties: readonly Party[],
): ConversationChange[] =>
  parties.flatMap((party) => {
    const user_id = deal[party];
    return user_id === null ? [] : [{ conversation_id: deal.conversation_id, user_id }];
  });

/** Changes the listing as the transition from `before` to `deal` requires. Returns whether its public pages change. */
const updateListing = async (
  tx: Queryable,
  listing: listings.DealListing,
  { before, deal, now }: { before: DealRow; deal: DealRow; now: Date },
): Promise<boolean> => {
  const isReserving = isReservingDealState(deal.state);
  if (isReservingDealState(before.state) === isReserving) {
    // A rental that is handed over early is rented out before its first day.
    const changesHands = deal.kind === 'rental' && (before.state === 'held') !== (deal.state === 'held');
    return isReserving && (changesHands || before.last_day !== deal.last_day);
  }
  if (deal.kind === 'rental') return true;
  const { id } = listing;
  if (deal.state === 'completed')
    await markListingSold(tx, listing, { soldTo: deal.buyer_id, until: null, isConfirmed: true, now });
  else await listings.setListingOnHold(tx, { id, isOnHold: isReserving });
  if (!isReserving) {
    const change = deal.state === 'completed' ? 'sold' : 'hold_ended';
    await queueSavedListingAlert(tx, { listingId: id, change, dueAt: now });
  }
  return true;
};

/**
 * Makes other offers wait for this deal, or move up when it leaves the queue. Returns the offers
 * that are then displayed differently to their buyers.
 */
const updateOtherOffers = async (
  tx: Queryable,
  { before, deal }: { before: DealRow; deal: DealRow },
): Promise<readonly queues.ChangedOffer[]> => {
  const isReserving = isReservingDealState(deal.state);
  const hasMoreDays = !isReservingDealState(before.state) || before.last_day !== deal.last_day;
  const waiting = isReserving && hasMoreDays ? await queues.makeOtherOffersWait(tx, deal) : [];
  const hasLeftQueue = deal.kind === 'gift' && before.state === 'offered' && deal.state !== 'offered';
  return hasLeftQueue ? queues.listLaterClaims(tx, deal) : waiting;
};

/** Queues a check of the offers that no longer have to wait after the transition, and of a hold that it revives. */
const scheduleChecks = async (
  app: App,
  tx: Queryable,
  listing: listings.DealListing | undefined,
  { before, deal }: { before: DealRow; deal: DealRow },
): Promise<void> => {
  if (listing && isReservingDealState(before.state) && !isReservingDealState(deal.state))
    await scheduleSettling(app, tx, { listing_id: listing.id });
  // Removing a listing or an account does not end a deal after the handover. Now that the deal is
  // on hold again, check whether it has to end.
  if (before.state === 'handed_over' && deal.state === 'held')
    await scheduleSettling(app, tx, { deal_ids: [deal.id] });
};

const createLine = (
  { config: { campus } }: App,
  before: DealRow | null,
  deal: DealRow,
  { transition, by, data, record }: Omit<AppliedTransition, 'now'> & { record: TransitionRecord },
): NewEventLine => {
  const line = toDealEventLine(before, deal, { transition, by, data });
  return {
    conversationId: deal.conversation_id,
    actorId: by && getPartyId(deal, by),
    isAutomatic: record.clientId === undefined,
    // A renewed offer matters only to its buyer, who may get the item again, so it does not count as unread for the
    // seller. After a draw, however, it is the only line that tells the giver whom to answer.
    silentFor: transition.name === 'renew' && !isDrawn(before) ? deal.seller_id : (record.silentFor ?? null),
    clientId: record.clientId ?? deriveEventLineId(deal.id, deal.number),
    text: formatDealEventLine(line, 'anyone', { otherName: '', campus }),
    data: line,
    messageText: record.messageText,
    now: record.now,
  };
};

/** Stores a new deal with the event line of the buyer's transition that starts it. */
export const storeNewDeal = async (
  app: App,
  tx: Queryable,
  deal: DealRow,
  { transition, ...record }: TransitionRecord & { transition: DealTransition },
): Promise<void> => {
  await repository.insertDeal(tx, deal);
  const line = await appendEventLine(
    app,
    tx,
    createLine(app, null, deal, { transition, by: 'buyer', data: {}, record }),
  );
  announceDealChange(app, tx, { line });
};

/**
 * Makes a transition of a locked deal: changes the deal and its listing, adds an event line, and publishes all of this
 * after the commit. Returns the changed deal; returns undefined, without writing, when the transition table does not
 * allow the transition now. For a person's transition, the caller must have checked that the conversation has no event
 * with its client id yet.
 */
export const makeTransition = async (
  app: App,
  tx: Queryable,
  { listing, deal: before }: LockedDeal,
  { name, actor, data = {}, ...record }: RequestedTransition,
): Promise<DealRow | undefined> => {
  const { now } = record;
  const transition = findTransition(before, name, actor, now);
  if (!transition) return undefined;
  const by = isNonPartyActor(actor) ? null : actor;
  const stored = repository.toDealRow(before);
  const { campus } = app.config;
  const latestHoldEnd = findLatestHoldEnd(before, now, campus);
  const deal = applyTransition(stored, { transition, by, data, latestHoldEnd, now }, campus);
  // Each of these functions sends at most one statement, so all statements share a round trip.
  // Functions that send several statements run later: after an error, they would continue when
  // the transaction has already ended.
  const [, others, isChanged, line] = await Promise.all([
    repository.updateDeal(tx, stored, deal),
    listing ? updateOtherOffers(tx, { before, deal }) : [],
    listing ? updateListing(tx, listing, { before, deal, now }) : false,
    appendLaterEventLine(tx, createLine(app, before, deal, { transition, by, data, record })),
  ]);
  await scheduleChecks(app, tx, listing, { before, deal });
  await mailHandoverChange(app, tx, before, {
    ...deal,
    agreed_landmark: (data.time ? data.landmark : before.agreed_landmark) ?? null,
  });
  announceDealChange(app, tx, {
    line,
    changedConversations: others.flatMap((other) => toConversationChanges(other, ['buyer_id'])),
    changedListing: isChanged ? listing : undefined,
  });
  return deal;
};

/**
 * Gives a claim that is not the first in the queue a new deadline, without an event line, which would
 * notify its buyer.
 */
export const stopWaiting = async (app: App, tx: Queryable, deal: DealRow, now: Date): Promise<void> => {
  const { campus } = app.config;
  const changed = { ...deal, deadline_at: computeDeadline('answer', deal, now, campus) };
  const next_notice_at = findNextNoticeTime(changed, now, campus);
  await queues.markOfferNotWaiting(tx, { ...changed, next_notice_at });
  announceDealChange(app, tx, {
    changedConversations: toConversationChanges(deal, ['buyer_id', 'seller_id']),
  });
};
