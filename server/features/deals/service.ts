import { toCampusDay } from '#contract/campus.ts';
import { findDealIdOfLine } from '#contract/deal-event-lines.ts';
import { findStartTransition, findTransition } from '#contract/deal-process.ts';
import { isServerEndableDealState } from '#contract/deal-states.ts';
import {
  type Deal,
  type DealPage,
  type DealQuery,
  type DealTransitionBody,
  dealErrorMessages,
  dealPageSize,
  type ListingDealInfo,
  type StartDealBody,
} from '#contract/deals.ts';
import { createFieldProblem, createProblem, Problem } from '#contract/errors.ts';
import { haveSameMailbox } from '#server/features/accounts/public.ts';
import type { EventLineService } from '#server/features/conversations/public.ts';
import { renderCalendar } from '#server/features/handovers/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import {
  isExclusionViolation,
  isUniqueViolation,
  type Queryable,
  runInTransaction,
} from '#server/platform/postgres/database.ts';
import {
  createDealChangePublisher,
  type DealChange,
  type DealChangePublisherDeps,
} from './deal-change-publisher.ts';
import { toCalendarHandover } from './handover-mails.ts';
import * as history from './history-repository.ts';
import * as listings from './listing-repository.ts';
import * as parties from './party-repository.ts';
import { getDealParty, isTransitionAllowedByListing, presentDeal } from './presenter.ts';
import * as queues from './queue-repository.ts';
import * as repository from './repository.ts';
import { assertWithinDealLimits, createDeal, isDrawOpen, startedDealsPeriodSeconds } from './starting.ts';
import {
  createDealSteps,
  type LockedDeal,
  lockDealAndListing,
  type StepDeps,
  type StepResult,
} from './steps.ts';
import { readTransitionData } from './transition-data.ts';

export interface DealsDeps extends StepDeps, DealChangePublisherDeps {
  publicUrl: string;
  eventLines: EventLineService;
  /** Returns the name of a meeting spot, or undefined when there is no such spot. */
  findSpotName(tx: Queryable, id: string): Promise<string | undefined>;
}

interface Taken {
  result: StepResult;
  /** The deal after the transition, or undefined when the caller must read it from the database. */
  deal: repository.DealWithContext | undefined;
}

/** Creates the service for deals between a buyer and a seller. It publishes steps after they are committed. */
export const createDealService = (deps: DealsDeps) => {
  const { sql, clock, campus, publicUrl, eventLines, findSpotName } = deps;
  const steps = createDealSteps(deps);
  const publish = createDealChangePublisher(deps);

  const getDeal = async (userId: string, id: string): Promise<Deal> => {
    const deal = await repository.findDeal(sql, { id, userId });
    if (!deal) throw createProblem('deal_not_found');
    return presentDeal(deal, userId, { now: clock.now(), campus });
  };

  /** Returns whether a transition of the deal was made under this client id. */
  const wasTaken = async (userId: string, deal: Deal, clientId: string): Promise<boolean> => {
    const line = await eventLines.findEventLine(sql, {
      conversationId: deal.conversation_id,
      actorId: userId,
      clientId,
    });
    return line !== undefined && findDealIdOfLine(line.data) === deal.id;
  };

  const findRepeatedStart = async (
    tx: Queryable,
    userId: string,
    { listing_id: listingId, client_id: clientId }: StartDealBody,
  ): Promise<string | undefined> => {
    const conversationId = await parties.findDealConversationId(tx, { listingId, buyerId: userId });
    if (conversationId === undefined) return undefined;
    const line = await eventLines.findEventLine(tx, { conversationId, actorId: userId, clientId });
    return line && findDealIdOfLine(line.data);
  };

  const assertMayStart = async (
    tx: Queryable,
    userId: string,
    listingId: string,
    now: Date,
  ): Promise<void> => {
    const open = await repository.findOpenDeal(tx, { listingId, buyerId: userId });
    if (open) throw createProblem('deal_moved_on', { deal: presentDeal(open, userId, { now, campus }) });
    const since = addSeconds(now, -startedDealsPeriodSeconds);
    assertWithinDealLimits(await parties.findDealLimitInputs(tx, { buyerId: userId, listingId, since }), now);
  };

  const startInTransaction = async (
    tx: Queryable,
    userId: string,
    wanted: StartDealBody,
  ): Promise<{ id: string; result?: DealChange }> => {
    await parties.lockBuyer(tx, userId);
    const listing = await listings.lockListing(tx, wanted.listing_id);
    // The time of a claim determines its place in the queue, so read the clock only after acquiring
    // the lock that prevents others from starting a deal.
    const now = clock.now();
    const repeated = await findRepeatedStart(tx, userId, wanted);
    if (repeated !== undefined) return { id: repeated };
    if (listing?.status !== 'published') throw createProblem('listing_not_found');
    const isOwn =
      listing.user_id === userId || (await haveSameMailbox(tx, campus, [listing.user_id, userId]));
    if (isOwn) throw createProblem('own_listing');
    if (isDrawOpen(listing) && !(await parties.hasVerifiedBadge(tx, userId)))
      throw createProblem('campus_badge_required');
    await assertMayStart(tx, userId, listing.id, now);
    const { first_day: first, last_day: last } = wanted;
    const isOccupied = await queues.isListingOccupied(tx, {
      listingId: listing.id,
      ...(first && last && first <= last ? { days: { first, last } } : {}),
    });
    const conversationId = await eventLines.openForOffer(tx, {
      listingId: listing.id,
      buyerId: userId,
      text: wanted.message_text,
      now,
    });
    const deal = createDeal(wanted, { listing, buyerId: userId, conversationId, isOccupied, now, campus });
    const row = findStartTransition(deal.kind);
    const result = await steps.start(tx, deal, {
      row,
      step: { clientId: wanted.client_id, messageText: wanted.message_text, now },
    });
    return { id: deal.id, result };
  };

  /** Throws when another rental has taken one of the days by which this rental would be extended. */
  const assertDaysFree = async (tx: Queryable, { deal }: LockedDeal, lastDay: string): Promise<void> => {
    if (deal.listing_id === null || deal.first_day === null) return;
    const days = { first: deal.first_day, last: lastDay };
    const isTaken = await queues.isListingOccupied(tx, { listingId: deal.listing_id, dealId: deal.id, days });
    if (isTaken) throw createFieldProblem({ last_day: dealErrorMessages.daysTaken });
  };

  const takeInTransaction = async (
    tx: Queryable,
    { id, userId }: { id: string; userId: string },
    body: DealTransitionBody,
  ): Promise<Taken | undefined> => {
    const locked = await lockDealAndListing(tx, id);
    const now = clock.now();
    const deal = locked?.deal;
    if (!deal || (deal.buyer_id !== userId && deal.seller_id !== userId))
      throw createProblem('deal_not_found');
    const { transition: name } = body;
    const actor = getDealParty(deal, userId);
    if (
      !findTransition(deal, name, actor, now) ||
      !isTransitionAllowedByListing(deal, name, toCampusDay(campus, now))
    )
      return undefined;
    // If the parties may not contact each other, offers and holds allow no transitions, because the server ends them.
    // Deals after the handover can still be concluded.
    if (isServerEndableDealState(deal.state) && !(await parties.findPartyContact(tx, deal)).is_allowed)
      throw createProblem('contact_refused');
    const data = await readTransitionData(body, locked, {
      userId,
      now,
      campus,
      findSpotName: (spotId) => findSpotName(tx, spotId),
    });
    if (!data) return undefined;
    if (data.lastDay) await assertDaysFree(tx, locked, data.lastDay);
    const result = await steps.take(tx, locked, { name, actor, data, clientId: body.client_id, now });
    return result ? { result, deal: repository.toDealAfterStep(deal, result.deal) } : undefined;
  };

  return {
    /** Starts a deal about a published listing, or returns the one that was started under this client id. */
    start: async (userId: string, wanted: StartDealBody): Promise<Deal> => {
      const { id, result } = await runInTransaction(sql, (tx) => startInTransaction(tx, userId, wanted));
      if (result) await publish(result);
      return getDeal(userId, id);
    },

    /**
     * Makes a transition once per client id. Throws deal_moved_on, with the current state of the deal, when the
     * transition is not possible, and contact_refused when the parties of an offer or a hold may not contact each
     * other.
     */
    take: async (userId: string, id: string, body: DealTransitionBody): Promise<Deal> => {
      let taken: Taken | undefined;
      let problem: Problem | undefined;
      try {
        taken = await runInTransaction(sql, (tx) => takeInTransaction(tx, { id, userId }, body));
      } catch (error) {
        if (error instanceof Problem) problem = error;
        // These database constraints refuse a second hold that a concurrent transaction made possible despite the
        // checks above. Treat the refusal like that of a transition that is not possible.
        else if (!isUniqueViolation(error, 'deals_one_hold') && !isExclusionViolation(error)) throw error;
      }
      if (taken) {
        await publish(taken.result);
        return taken.deal
          ? presentDeal(taken.deal, userId, { now: clock.now(), campus })
          : getDeal(userId, id);
      }
      // The request may repeat one that succeeded but whose response was lost. Return the deal in that case, because
      // most transitions are not possible twice.
      const deal = await getDeal(userId, id);
      if (await wasTaken(userId, deal, body.client_id)) return deal;
      throw problem ?? createProblem('deal_moved_on', { deal });
    },

    get: getDeal,

    /** Returns the iCalendar file of the agreed handover. Throws handover_not_agreed when none was agreed. */
    renderHandoverCalendar: async (userId: string, id: string): Promise<string> => {
      const deal = await repository.findDeal(sql, { id, userId });
      if (!deal) throw createProblem('deal_not_found');
      const handover = toCalendarHandover(deal);
      if (!handover) throw createProblem('handover_not_agreed');
      return renderCalendar(handover, { campus, publicUrl });
    },

    /** Lists a person's deals, newest first. */
    list: async (
      userId: string,
      { cursor, role, state, conversation_id: conversationId }: DealQuery,
    ): Promise<DealPage> => {
      const after = decodeListCursor(cursor);
      const rows = await history.listDeals(sql, {
        userId,
        role,
        state,
        conversationId,
        after,
        limit: dealPageSize + 1,
      });
      const items = rows.slice(0, dealPageSize);
      const last = rows.length > dealPageSize ? items.at(-1) : undefined;
      const now = clock.now();
      return {
        items: items.map((deal) => presentDeal(deal, userId, { now, campus })),
        next_cursor: last ? encodeListCursor({ time: last.position_time, id: last.id }) : null,
      };
    },

    /**
     * Lists the open deals of a person's listing. Throws listing_not_found when the listing does not belong to the
     * person.
     */
    listOfListing: async (userId: string, listingId: string): Promise<Deal[]> => {
      if (!(await listings.isListingOwner(sql, { listingId, userId })))
        throw createProblem('listing_not_found');
      const deals = await queues.listDealsOfListing(sql, listingId);
      const now = clock.now();
      return deals.map((deal) => presentDeal(deal, userId, { now, campus }));
    },

    /** Returns a person's open deal about a listing, and the number of other people's offers. */
    findAbout: async (userId: string, listingId: string): Promise<ListingDealInfo> => {
      const deal = await repository.findOpenDeal(sql, { listingId, buyerId: userId });
      const others = await queues.countOtherOffers(sql, { listingId, userId });
      if (others === undefined) throw createProblem('listing_not_found');
      const now = clock.now();
      const today = toCampusDay(campus, now);
      return {
        deal: deal ? presentDeal(deal, userId, { now, campus }) : null,
        other_offers: others,
        taken_days: [...(await queues.listUnavailablePeriods(sql, { listingId, from: today }))],
      };
    },
  };
};

export type DealService = ReturnType<typeof createDealService>;
