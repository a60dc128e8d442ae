import { toCampusDay } from '#contract/campus.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import { dealDurationSeconds } from '#contract/deal-transitions.ts';
import {
  type Deal,
  type DealPage,
  type DealQuery,
  dealPageSize,
  type ListingDealInfo,
  maxListedHandovers,
} from '#contract/deals.ts';
import { createProblem, type ErrorCode } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { renderCalendar } from '#server/features/handovers/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { toCalendarHandover } from './handover-mails.ts';
import { listComingHandovers } from './handover-repository.ts';
import * as history from './history-repository.ts';
import * as listings from './listing-repository.ts';
import { presentDeal } from './presenter.ts';
import * as queues from './queue-repository.ts';
import * as repository from './repository.ts';

const findOwnDeal = async (
  app: App,
  userId: string,
  id: string,
  missing: ErrorCode = 'deal_not_found',
): Promise<repository.DealWithContext> => {
  const deal = await repository.findDeal(app.sql, { id, userId });
  if (!deal) throw createProblem(missing);
  return deal;
};

/** Returns a deal as one of its parties sees it. Throws `missing` for other people. */
export const getDeal = async (
  app: App,
  userId: string,
  id: string,
  missing: ErrorCode = 'deal_not_found',
): Promise<Deal> => {
  const deal = await findOwnDeal(app, userId, id, missing);
  return presentDeal(deal, userId, { now: app.clock.now(), campus: app.config.campus });
};

/** Returns the iCalendar file of the agreed handover. Throws handover_not_agreed when none was agreed. */
export const renderHandoverCalendar = async (app: App, userId: string, id: string): Promise<string> => {
  const handover = toCalendarHandover(await findOwnDeal(app, userId, id));
  if (!handover) throw createProblem('handover_not_agreed');
  return renderCalendar([handover], app.config);
};

const readComingHandovers = (
  { sql, clock }: App,
  userId: string,
): Promise<readonly repository.DealWithContext[]> => {
  const after = addSeconds(clock.now(), -dealDurationSeconds.questionAfterHandover);
  return listComingHandovers(sql, { userId, after, limit: maxListedHandovers });
};

/** Lists a person's deals whose handover is agreed and was not more than three hours ago, the next one first. */
export const listHandovers = async (app: App, userId: string): Promise<{ items: Deal[] }> => {
  const deals = await readComingHandovers(app, userId);
  const context = { now: app.clock.now(), campus: app.config.campus };
  return { items: deals.map((deal) => presentDeal(deal, userId, context)) };
};

/** Returns an iCalendar file of a person's coming handovers. Throws handover_not_agreed when there are none. */
export const renderHandoversCalendar = async (app: App, userId: string): Promise<string> => {
  const handovers = (await readComingHandovers(app, userId))
    .map(toCalendarHandover)
    .filter((handover) => handover !== undefined);
  if (handovers.length === 0) throw createProblem('handover_not_agreed');
  return renderCalendar(handovers, app.config);
};

/** Lists a person's deals, newest first. */
export const listDeals = async (
  { sql, clock, config: { campus } }: App,
  userId: string,
  { cursor, role, state, conversation_id: conversationId, other_id: otherId }: DealQuery,
): Promise<DealPage> => {
  const after = decodeListCursor(cursor);
  const limit = dealPageSize + 1;
  const rows = await history.listDeals(sql, { userId, role, state, conversationId, otherId, after, limit });
  const { page, next_cursor } = takePage(rows, dealPageSize, ({ position_time: time }) => time);
  const now = clock.now();
  return { items: page.map((deal) => presentDeal(deal, userId, { now, campus })), next_cursor };
};

/**
 * Lists the open deals of a person's listing. Throws listing_not_found when the listing does not belong to the
 * person.
 */
export const listDealsOfListing = async (
  { sql, clock, config: { campus } }: App,
  userId: string,
  listingId: string,
): Promise<Deal[]> => {
  if (!(await listings.isListingOwner(sql, { listingId, userId }))) throw createProblem('listing_not_found');
  const deals = await queues.listDealsOfListing(sql, listingId);
  const now = clock.now();
  return deals.map((deal) => presentDeal(deal, userId, { now, campus }));
};

/** Returns a person's open deal about a listing, and the number of other people's offers. */
export const findListingDeal = async (
  { sql, clock, config: { campus } }: App,
  userId: string,
  listingId: string,
): Promise<ListingDealInfo> => {
  const deal = await repository.findOpenDeal(sql, { listingId, buyerId: userId });
  const facts = await queues.findQueueFacts(sql, { listingId, userId });
  if (!facts) throw createProblem('listing_not_found');
  const { category, other_offers, ...rules } = facts;
  const now = clock.now();
  const today = toCampusDay(campus, now);
  return {
    deal: deal ? presentDeal(deal, userId, { now, campus }) : null,
    other_offers,
    taken_days: [...(await queues.listUnavailablePeriods(sql, { listingId, from: today }))],
    ...(getDealKind(category) === 'rental' && { rental_rules: rules }),
  };
};
