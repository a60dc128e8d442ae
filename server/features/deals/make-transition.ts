import { toCampusDay } from '#contract/campus.ts';
import { findDealIdOfLine } from '#contract/deal-event-lines.ts';
import { findTransition } from '#contract/deal-process.ts';
import { isServerEndableDealState } from '#contract/deal-states.ts';
import { type Deal, type DealTransitionBody, dealErrorMessages } from '#contract/deals.ts';
import { createFieldProblem, createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { findEventLine } from '#server/features/conversations/public.ts';
import {
  isExclusionViolation,
  isUniqueViolation,
  type Queryable,
  runInTransaction,
} from '#server/platform/postgres/database.ts';
import * as parties from './party-repository.ts';
import { getDealParty, isTransitionAllowedByListing, presentDeal } from './presenter.ts';
import * as queues from './queue-repository.ts';
import { getDeal } from './read-deals.ts';
import * as repository from './repository.ts';
import { readTransitionData } from './transition-data.ts';
import { type LockedDeal, lockDealAndListing, makeTransition } from './transitions.ts';

/** Throws when another rental has taken one of the days by which this rental would be extended. */
const assertDaysFree = async (tx: Queryable, { deal }: LockedDeal, lastDay: string): Promise<void> => {
  if (deal.listing_id === null || deal.first_day === null) return;
  const days = { first: deal.first_day, last: lastDay };
  const isTaken = await queues.isListingReserved(tx, { listingId: deal.listing_id, dealId: deal.id, days });
  if (isTaken) throw createFieldProblem({ last_day: dealErrorMessages.daysTaken });
};

interface MadeTransition {
  /** The deal after the transition, or undefined when the caller must read it from the database. */
  deal: repository.DealWithContext | undefined;
}

/** Makes a person's transition. Returns undefined when it is not possible. */
const makeInTransaction = async (
  app: App,
  tx: Queryable,
  { id, userId }: { id: string; userId: string },
  body: DealTransitionBody,
): Promise<MadeTransition | undefined> => {
  const { campus } = app.config;
  const locked = await lockDealAndListing(tx, id);
  const now = app.clock.now();
  const deal = locked?.deal;
  if (!deal || (deal.buyer_id !== userId && deal.seller_id !== userId)) throw createProblem('deal_not_found');
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
  const data = await readTransitionData(tx, body, locked, { userId, now, campus });
  if (!data) return undefined;
  if (data.lastDay) await assertDaysFree(tx, locked, data.lastDay);
  const changed = await makeTransition(app, tx, locked, { name, actor, data, clientId: body.client_id, now });
  return changed && { deal: repository.toDealAfterTransition(deal, changed, data) };
};

const wasTransitionMade = async (
  { sql }: App,
  userId: string,
  deal: Deal,
  clientId: string,
): Promise<boolean> => {
  const line = await findEventLine(sql, {
    conversationId: deal.conversation_id,
    actorId: userId,
    clientId,
  });
  return line !== undefined && findDealIdOfLine(line.data) === deal.id;
};

/**
 * Makes a transition once per client id. Throws deal_moved_on, with the current state of the deal, when the
 * transition is not possible, and contact_refused when the parties of an offer or a hold may not contact each
 * other.
 */
export const makeDealTransition = async (
  app: App,
  userId: string,
  id: string,
  body: DealTransitionBody,
): Promise<Deal> => {
  let made: MadeTransition | undefined;
  let problem: Problem | undefined;
  try {
    made = await runInTransaction(app.sql, (tx) => makeInTransaction(app, tx, { id, userId }, body));
  } catch (error) {
    if (error instanceof Problem) problem = error;
    // These database constraints refuse a second hold that a concurrent transaction made possible despite the
    // checks above. Treat the refusal like that of a transition that is not possible.
    else if (!isUniqueViolation(error, 'deals_one_hold') && !isExclusionViolation(error)) throw error;
  }
  if (made)
    return made.deal
      ? presentDeal(made.deal, userId, { now: app.clock.now(), campus: app.config.campus })
      : getDeal(app, userId, id);
  // The request may repeat one that succeeded but whose response was lost. Return the deal in that case, because
  // most transitions are not possible twice.
  const deal = await getDeal(app, userId, id);
  if (await wasTransitionMade(app, userId, deal, body.client_id)) return deal;
  throw problem ?? createProblem('deal_moved_on', { deal });
};
