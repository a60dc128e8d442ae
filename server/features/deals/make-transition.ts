import { findDealIdOfLine } from '#contract/deal-event-lines.ts';
import { findTransition } from '#contract/deal-process.ts';
import { isServerEndableDealState } from '#contract/deal-states.ts';
import { type ChangedDeal, type Deal, type DealTransitionBody, dealErrorMessages } from '#contract/deals.ts';
import { createFieldProblem, createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { findEventLine } from '#server/features/conversations/public.ts';
import {
  isExclusionViolation,
  isUniqueViolation,
  type Queryable,
  runInTransaction,
} from '#server/platform/postgres/database.ts';
import { lockOwnDeals, type OwnDeal } from './own-deals.ts';
import * as parties from './party-repository.ts';
import { isTransitionAllowedByListing, presentDeal } from './presenter.ts';
import type { TransitionData } from './process.ts';
import * as queues from './queue-repository.ts';
import { getDeal } from './read-deals.ts';
import * as repository from './repository.ts';
import { readTransitionData } from './transition-data.ts';
import { type LockedDeal, makeTransition } from './transitions.ts';

/** Lists the ids of the further deals for which the transition of a deal is wanted, each once. */
export const listFurtherDealIds = (id: string, body: DealTransitionBody): string[] =>
  'also_for' in body ? [...new Set(body.also_for)].filter((it) => it !== id) : [];

/** Throws when another rental has taken a part of the time by which this rental would be extended. */
const assertDaysFree = async (tx: Queryable, { deal }: LockedDeal, lastDay: string): Promise<void> => {
  if (deal.listing_id === null || deal.first_day === null) return;
  const { first_day, pickup_time, return_time } = deal;
  const period = { first_day, pickup_time, last_day: lastDay, return_time };
  const isTaken = await queues.isListingReserved(tx, { listingId: deal.listing_id, dealId: deal.id, period });
  if (isTaken) throw createFieldProblem({ last_day: dealErrorMessages.daysTaken });
};

interface PreparedTransition {
  own: OwnDeal;
  data: TransitionData;
}

/** Checks a person's transition and returns what is needed to make it, or undefined when it is not possible. */
const prepareTransition = async (
  app: App,
  tx: Queryable,
  own: OwnDeal,
  body: DealTransitionBody,
  { userId, now }: { userId: string; now: Date },
): Promise<PreparedTransition | undefined> => {
  const { campus } = app.config;
  const { deal, actor } = own;
  const { transition: name } = body;
  if (!findTransition(deal, name, actor, now) || !isTransitionAllowedByListing(deal, name, { now, campus }))
    return undefined;
  // If the parties may not contact each other, offers and holds allow no transitions, because the server ends them.
  // Deals after the handover can still be concluded.
  if (isServerEndableDealState(deal.state) && !(await parties.findPartyContact(tx, deal)).is_allowed)
    throw createProblem('contact_refused');
  const data = await readTransitionData(tx, body, own, { userId, now, campus });
  if (data?.lastDay) await assertDaysFree(tx, own, data.lastDay);
  return data && { own, data };
};

/** Prepares a transition of a further deal. Its data may not suit this deal, such as a time on another day of a rental. */
const prepareFurtherTransition = async (
  ...args: Parameters<typeof prepareTransition>
): Promise<PreparedTransition | undefined> => {
  try {
    return await prepareTransition(...args);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
};

interface MadeTransition {
  /** The deal after the transition, or undefined when the caller must read it from the database. */
  deal: repository.DealWithContext | undefined;
}

/**
 * Makes a person's transition of a deal and, where possible, of the further deals that the body names. Returns undefined
 * when it is not possible for the deal.
 */
const makeInTransaction = async (
  app: App,
  tx: Queryable,
  { id, userId }: { id: string; userId: string },
  body: DealTransitionBody,
): Promise<MadeTransition | undefined> => {
  const [own, ...further] = await lockOwnDeals(tx, [id, ...listFurtherDealIds(id, body)], userId);
  const now = app.clock.now();
  const caller = { userId, now };
  const main = await prepareTransition(app, tx, own, body, caller);
  if (!main) return undefined;
  const prepared = [main];
  for (const other of further) {
    const possible = await prepareFurtherTransition(app, tx, other, body, caller);
    if (possible) prepared.push(possible);
  }
  // Conversations are locked in the order of their ids, as elsewhere.
  prepared.sort((a, b) => (a.own.deal.conversation_id < b.own.deal.conversation_id ? -1 : 1));
  let made: MadeTransition | undefined;
  for (const it of prepared) {
    const { own: locked, data } = it;
    const request = { name: body.transition, actor: locked.actor, data, clientId: body.client_id, now };
    const changed = await makeTransition(app, tx, locked, request);
    if (it === main && changed) made = { deal: repository.toDealAfterTransition(locked.deal, changed, data) };
  }
  return made;
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

/** Returns the further deals of a transition that was made, divided by whether it was made for them, too. */
const readFurtherDeals = async (
  app: App,
  userId: string,
  ids: readonly string[],
  clientId: string,
): Promise<Pick<ChangedDeal, 'also_for' | 'skipped'>> => {
  if (ids.length === 0) return {};
  const [also_for, skipped]: [Deal[], Deal[]] = [[], []];
  for (const id of ids) {
    const deal = await getDeal(app, userId, id);
    const wasMade = await wasTransitionMade(app, userId, deal, clientId);
    (wasMade ? also_for : skipped).push(deal);
  }
  return { also_for, skipped };
};

/**
 * Makes a transition once per client id, in the same transaction also for the further deals that the body names and for
 * which it is possible. Throws deal_moved_on, with the current state of the deal, when the transition is not possible,
 * contact_refused when the parties of an offer or a hold may not contact each other, and deal_not_found when one of the
 * deals is not between the caller and the same other person.
 */
export const makeDealTransition = async (
  app: App,
  userId: string,
  id: string,
  body: DealTransitionBody,
): Promise<ChangedDeal> => {
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
  const deal = made?.deal
    ? presentDeal(made.deal, userId, { now: app.clock.now(), campus: app.config.campus })
    : await getDeal(app, userId, id);
  // The request may repeat one that succeeded but whose response was lost. Return the deal in that case, because
  // most transitions are not possible twice.
  if (made || (await wasTransitionMade(app, userId, deal, body.client_id)))
    return {
      ...deal,
      ...(await readFurtherDeals(app, userId, listFurtherDealIds(id, body), body.client_id)),
    };
  throw problem ?? createProblem('deal_moved_on', { deal });
};
