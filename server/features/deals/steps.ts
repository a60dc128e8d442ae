import { createHash } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import { formatDealEventLine } from '#contract/deal-event-lines.ts';
import { findTransition, isNonPartyActor } from '#contract/deal-process.ts';
import { type DealParty, isReservingDealState } from '#contract/deal-states.ts';
import type { DealTransition, DealTransitionName, NonPartyActor } from '#contract/deal-transitions.ts';
import type {
  ConversationChange,
  EventLineService,
  NewEventLine,
} from '#server/features/conversations/public.ts';
import { markListingSold } from '#server/features/listings/public.ts';
import { queueSavedListingAlert } from '#server/features/saved-listings/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { computeDeadline } from './deadlines.ts';
import type { DealChange } from './deal-change-publisher.ts';
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

export interface StepDeps {
  campus: Campus;
  eventLines: Pick<EventLineService, 'appendEventLine' | 'appendLaterEventLine'>;
  /**
   * Queues the job that brings a listing's offers and holds, or the deals with the given ids, into line with the
   * current state of the listing and the parties. The job runs after the commit.
   */
  scheduleSettling(tx: Queryable, settling: { listing_id: string } | { deal_ids: string[] }): Promise<void>;
  /** Queues the emails about an agreed, changed or cancelled handover. */
  mailHandover(tx: Queryable, before: DealRow, deal: DealRow): Promise<void>;
}

/** A deal and its listing, locked until the transaction ends. */
export interface LockedDeal {
  /** The listing of the deal, or undefined when it was removed. */
  listing: listings.DealListing | undefined;
  deal: repository.DealWithContext;
}

/** A deal after a step, and what to publish after the commit. */
export interface StepResult extends DealChange {
  deal: DealRow;
}

export interface DealStep {
  name: DealTransitionName;
  actor: DealParty | NonPartyActor;
  data?: TransitionData;
  /**
   * The idempotency key of a person's step, or undefined for steps of the server, whose key is derived from the deal
   * and the step's number.
   */
  clientId?: string;
  messageText?: string | undefined;
  /** A party that did not act, but for whom the event line does not count as unread. */
  silentFor?: string | null;
  now: Date;
}

/**
 * Derives a UUID from a deal and the recorded event, such as the number of a transition, so that
 * the event line is stored only once.
 */
export const deriveEventLineId = (dealId: string, recorded: number | string): string => {
  const hex = createHash('sha256').update(`${dealId} ${recorded}`).digest('hex');
  // Set the bits for the version (8) and the variant that RFC 9562 requires of a UUID.
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};

/** Locks a deal and its listing until the transaction ends. Returns undefined when there is no such deal. */
export const lockDealAndListing = async (tx: Queryable, dealId: string): Promise<LockedDeal | undefined> => {
  // Send both statements at once. PostgreSQL runs them in this order, so the listing is locked before the deal.
  const [listing, deal] = await Promise.all([
    listings.lockListingOfDeal(tx, dealId),
    repository.lockDeal(tx, dealId),
  ]);
  return deal && { listing, deal };
};

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

/**
 * Creates the functions that store the steps of deals. Each step changes the deal and its listing and adds an event
 * line.
 */
export const createDealSteps = ({ campus, eventLines, scheduleSettling, mailHandover }: StepDeps) => {
  /** Applies the effects of the step on the listing. Returns whether its public pages change. */
  const updateListing = async (
    tx: Queryable,
    listing: listings.DealListing,
    { before, deal, now }: { before: DealRow; deal: DealRow; now: Date },
  ): Promise<boolean> => {
    const isOccupying = isReservingDealState(deal.state);
    if (isReservingDealState(before.state) === isOccupying) {
      // A rental that is handed over early is rented out before its first day.
      const changesHands = deal.kind === 'rental' && (before.state === 'held') !== (deal.state === 'held');
      return isOccupying && (changesHands || before.last_day !== deal.last_day);
    }
    if (deal.kind === 'rental') return true;
    const { id } = listing;
    if (deal.state === 'completed')
      await markListingSold(tx, listing, { soldTo: deal.buyer_id, until: null, isConfirmed: true, now });
    else await listings.setListingOnHold(tx, { id, isOnHold: isOccupying });
    if (!isOccupying) {
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
    const isOccupying = isReservingDealState(deal.state);
    const hasMoreDays = !isReservingDealState(before.state) || before.last_day !== deal.last_day;
    const waiting = isOccupying && hasMoreDays ? await queues.makeOtherOffersWait(tx, deal) : [];
    const hasLeftLine = deal.kind === 'gift' && before.state === 'offered' && deal.state !== 'offered';
    return hasLeftLine ? queues.listLaterClaims(tx, deal) : waiting;
  };

  /** Queues a check of the offers that no longer have to wait after the step, and of a hold that the step revives. */
  const scheduleChecks = async (
    tx: Queryable,
    listing: listings.DealListing | undefined,
    { before, deal }: { before: DealRow; deal: DealRow },
  ): Promise<void> => {
    if (listing && isReservingDealState(before.state) && !isReservingDealState(deal.state))
      await scheduleSettling(tx, { listing_id: listing.id });
    // Removing a listing or an account does not end a deal after the handover. Now that the deal is
    // on hold again, check whether it has to end.
    if (before.state === 'handed_over' && deal.state === 'held')
      await scheduleSettling(tx, { deal_ids: [deal.id] });
  };

  const createLine = (
    deal: DealRow,
    {
      before,
      row,
      by,
      data,
      step,
    }: { before: DealRow | null; step: Omit<DealStep, 'name' | 'actor'> } & Pick<
      AppliedTransition,
      'row' | 'by' | 'data'
    >,
  ): NewEventLine => {
    const line = toDealEventLine(before, deal, { row, by, data });
    return {
      conversationId: deal.conversation_id,
      actorId: by && getPartyId(deal, by),
      isAutomatic: step.clientId === undefined,
      // A renewed offer matters only to its buyer, who may get the item again, so it does not count as unread for the
      // seller. After a draw, however, it is the only line that tells the giver whom to answer.
      silentFor: row.name === 'renew' && !isDrawn(before) ? deal.seller_id : (step.silentFor ?? null),
      clientId: step.clientId ?? deriveEventLineId(deal.id, deal.number),
      text: formatDealEventLine(line, 'anyone', { otherName: '', campus }),
      data: line,
      messageText: step.messageText,
      now: step.now,
    };
  };

  return {
    /** Stores a new deal with its first event line. */
    start: async (
      tx: Queryable,
      deal: DealRow,
      { row, step }: { row: DealTransition; step: Omit<DealStep, 'name' | 'actor'> },
    ): Promise<DealChange> => {
      await repository.insertDeal(tx, deal);
      const line = await eventLines.appendEventLine(
        tx,
        createLine(deal, { before: null, row, by: 'buyer', data: {}, step }),
      );
      return { line, changedConversations: [], changedListing: undefined };
    },

    /**
     * Makes a transition of a deal whose row the caller has locked. Returns undefined, without writing, when the
     * transition table does not allow the transition now. For a person's step, the caller must have checked that the
     * conversation has no event with its client id yet.
     */
    take: async (
      tx: Queryable,
      { listing, deal: before }: LockedDeal,
      step: DealStep,
    ): Promise<StepResult | undefined> => {
      const row = findTransition(before, step.name, step.actor, step.now);
      if (!row) return undefined;
      const by = isNonPartyActor(step.actor) ? null : step.actor;
      const { data = {}, now } = step;
      const stored = repository.toDealRow(before);
      const deal = applyTransition(stored, { row, by, data, now }, campus);
      // Each of these functions sends at most one statement, so all statements share a round trip.
      // Functions that send several statements run later: after an error, they would continue when
      // the transaction has already ended.
      const [, others, isChanged, line] = await Promise.all([
        repository.updateDeal(tx, stored, deal),
        listing ? updateOtherOffers(tx, { before, deal }) : [],
        listing ? updateListing(tx, listing, { before, deal, now }) : false,
        eventLines.appendLaterEventLine(tx, createLine(deal, { before, row, by, data, step })),
      ]);
      await scheduleChecks(tx, listing, { before, deal });
      await mailHandover(tx, stored, deal);
      return {
        deal,
        line,
        changedConversations: others.flatMap((other) => toConversationChanges(other, ['buyer_id'])),
        changedListing: isChanged ? listing : undefined,
      };
    },

    /**
     * Gives a claim that is not the first in the queue a new deadline, without an event line, which would
     * notify its buyer.
     */
    stopWaiting: async (tx: Queryable, deal: DealRow, now: Date): Promise<DealChange> => {
      const changed = { ...deal, deadline_at: computeDeadline('answer', deal, now, campus) };
      const next_notice_at = findNextNoticeTime(changed, now, campus);
      await queues.markOfferNotWaiting(tx, { ...changed, next_notice_at });
      return {
        line: undefined,
        changedConversations: toConversationChanges(deal, ['buyer_id', 'seller_id']),
        changedListing: undefined,
      };
    },
  };
};
