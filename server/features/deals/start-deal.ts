import { formatSellerAway } from '#contract/away.ts';
import { toCampusDay } from '#contract/campus.ts';
import { findDealIdOfLine } from '#contract/deal-event-lines.ts';
import { findStartTransition } from '#contract/deal-process.ts';
import type { Deal, StartDealBody } from '#contract/deals.ts';
import { createProblem } from '#contract/errors.ts';
import { isPassedGame } from '#contract/game-days.ts';
import { isRentalInOrder } from '#contract/rental-times.ts';
import type { App } from '#server/app.ts';
import { haveSameMailbox } from '#server/features/accounts/public.ts';
import { findEventLine, openForOffer } from '#server/features/conversations/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as listings from './listing-repository.ts';
import { assertWithinDealLimits, createDeal, isDrawOpen, startedDealsPeriodSeconds } from './new-deal.ts';
import * as parties from './party-repository.ts';
import { presentDeal } from './presenter.ts';
import * as queues from './queue-repository.ts';
import { getDeal } from './read-deals.ts';
import { toRentalPeriod } from './rental-days.ts';
import * as repository from './repository.ts';
import { storeNewDeal } from './transitions.ts';

/** Returns the id of the deal that this person started under the same client id before. */
const findRepeatedStart = async (
  tx: Queryable,
  userId: string,
  { listing_id: listingId, client_id: clientId }: StartDealBody,
): Promise<string | undefined> => {
  const conversationId = await parties.findDealConversationId(tx, { listingId, buyerId: userId });
  if (conversationId === undefined) return undefined;
  const line = await findEventLine(tx, { conversationId, actorId: userId, clientId });
  return line && findDealIdOfLine(line.data);
};

const assertMayStart = async (
  { config: { campus } }: App,
  tx: Queryable,
  { userId, listing, now }: { userId: string; listing: listings.DealListing; now: Date },
): Promise<void> => {
  const today = toCampusDay(campus, now);
  const isPassed = isPassedGame(listing, today);
  const isHidden = listing.away_until === 'infinity';
  if (listing.status !== 'published' || isPassed || isHidden) throw createProblem('listing_not_found');
  const isOwn = listing.user_id === userId || (await haveSameMailbox(tx, campus, [listing.user_id, userId]));
  if (isOwn) throw createProblem('own_listing');
  if (listing.away_until !== null && listing.away_until > today) {
    const sentence = `${formatSellerAway(listing.away_until, campus)}. You can send a message.`;
    throw createProblem('seller_away', { sentence });
  }
  if (isDrawOpen(listing) && !(await parties.hasVerifiedBadge(tx, userId)))
    throw createProblem('campus_badge_required');
  const open = await repository.findOpenDeal(tx, { listingId: listing.id, buyerId: userId });
  if (open) throw createProblem('deal_moved_on', { deal: presentDeal(open, userId, { now, campus }) });
  const since = addSeconds(now, -startedDealsPeriodSeconds);
  const inputs = await parties.findDealLimitInputs(tx, { buyerId: userId, listingId: listing.id, since });
  assertWithinDealLimits(inputs, now);
};

const startInTransaction = async (
  app: App,
  tx: Queryable,
  userId: string,
  wanted: StartDealBody,
): Promise<string> => {
  const { campus } = app.config;
  await parties.lockBuyer(tx, userId);
  const listing = await listings.lockListing(tx, wanted.listing_id);
  // The time of a claim determines its place in the queue, so read the clock only after acquiring
  // the lock that prevents others from starting a deal.
  const now = app.clock.now();
  const repeated = await findRepeatedStart(tx, userId, wanted);
  if (repeated !== undefined) return repeated;
  if (!listing) throw createProblem('listing_not_found');
  await assertMayStart(app, tx, { userId, listing, now });
  const period = toRentalPeriod(wanted);
  const isReserved = await queues.isListingReserved(tx, {
    listingId: listing.id,
    ...(period && isRentalInOrder(period) ? { period } : {}),
  });
  const conversationId = await openForOffer(app, tx, {
    listingId: listing.id,
    buyerId: userId,
    text: wanted.message_text,
    now,
  });
  const deal = createDeal(wanted, { listing, buyerId: userId, conversationId, isReserved, now, campus });
  await storeNewDeal(app, tx, deal, {
    transition: findStartTransition(deal.kind),
    clientId: wanted.client_id,
    messageText: wanted.message_text,
    now,
  });
  return deal.id;
};

/** Starts a deal about a published listing, or returns the one that was started under this client id. */
export const startDeal = async (app: App, userId: string, wanted: StartDealBody): Promise<Deal> => {
  const id = await runInTransaction(app.sql, (tx) => startInTransaction(app, tx, userId, wanted));
  return getDeal(app, userId, id);
};
