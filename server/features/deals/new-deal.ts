import { randomUUID } from 'node:crypto';
import { type Campus, type CampusPrices, toCampusDay } from '#contract/campus.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import { findStartTransition } from '#contract/deal-process.ts';
import type { DealKind } from '#contract/deal-states.ts';
import {
  dealErrorMessages,
  formatOpenOffersMessage,
  maxDealsPerListing,
  type StartDealBody,
} from '#contract/deals.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { type AccountTierFacts, getAccountTier, openOfferLimits } from '#contract/limits.ts';
import { formatPriceMessages } from '#contract/listing-form.ts';
import { getMaxPrice } from '#contract/price-limits.ts';
import { computeRentalPrice } from '#contract/rental-prices.ts';
import { defaultHoldHours } from '#contract/selling.ts';
import {
  findTicketPriceProblem,
  isTicketListing,
  type TicketCampus,
  ticketErrorMessages,
} from '#contract/tickets.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { computeDeadline } from './deadlines.ts';
import type { DealListing } from './listing-repository.ts';
import { findNextNoticeTime } from './notices.ts';
import type { DealRow } from './process.ts';
import { findRentalPeriodProblem, isRentedWithoutDeal, toRentalPeriod } from './rental-days.ts';

/** How long a deal counts toward the limit of deals that a buyer starts about one listing, in seconds. */
export const startedDealsPeriodSeconds = maxDealsPerListing.days * dayInSeconds;

/** Returns whether the order of the claims of a free item is still to be drawn by lot. */
export const isDrawOpen = ({ category, gift_mode: mode, drawn_at: drawnAt }: DealListing): boolean =>
  getDealKind(category) === 'gift' && mode === 'draw' && drawnAt === null;

/** Throws when a buyer has too many open offers, or has started too many deals about this listing. */
export const assertWithinDealLimits = (
  { open, startedAt, ...account }: AccountTierFacts & { open: number; startedAt: Date[] },
  now: Date,
): void => {
  const limit = openOfferLimits[getAccountTier(account, now)];
  if (open >= limit) throw createProblem('too_many_offers', { sentence: formatOpenOffersMessage(limit) });
  const earliest = startedAt.at(-maxDealsPerListing.deals);
  if (!earliest) return;
  const seconds = (addSeconds(earliest, startedDealsPeriodSeconds).getTime() - now.getTime()) / 1000;
  throw createProblem('rate_limited', {
    retryAfter: Math.max(1, Math.ceil(seconds)),
    sentence: dealErrorMessages.startedOften,
  });
};

const choosePrice = (
  kind: DealKind,
  wanted: StartDealBody,
  listing: DealListing,
  campus: TicketCampus & CampusPrices,
): number => {
  if (kind === 'gift') {
    if (wanted.price !== undefined) throw createFieldProblem({ price: dealErrorMessages.priceOfGift });
    return 0;
  }
  const period = kind === 'rental' ? toRentalPeriod(wanted) : undefined;
  const asked = period
    ? computeRentalPrice({ ...listing, ...period, period: listing.rental_period }, campus)
    : listing.price;
  if (listing.is_price_firm && wanted.price !== undefined && wanted.price !== asked)
    throw createFieldProblem({ price: dealErrorMessages.priceFirm });
  const price = wanted.price ?? asked;
  if (price <= 0) throw createFieldProblem({ price: dealErrorMessages.pricePositive });
  if (price > getMaxPrice(campus)) throw createFieldProblem({ price: formatPriceMessages(campus).priceHigh });
  const obstacle = findTicketPriceProblem(campus, { ...listing, price });
  if (obstacle?.field === 'price') throw createFieldProblem({ price: obstacle.message });
  if (obstacle) throw createFieldProblem({ price: ticketErrorMessages.faceValueUnknown });
  return price;
};

/** The initial values of those fields of a new deal that do not depend on its kind or its listing. */
export const initialDealFields = {
  turn: null,
  ticket_price_cap: null,
  first_day: null,
  last_day: null,
  pickup_time: null,
  return_time: null,
  number: 1,
  offer_count: 1,
  deadline_at: null,
  is_waiting: false,
  draw_rank: null,
  hold_hours: defaultHoldHours,
  spot_id: null,
  place: null,
  proposed_times: [],
  handover_proposed_by: null,
  handover_at: null,
  handover_agreed_at: null,
  agreed_spot_id: null,
  agreed_place: null,
  calendar_sequence: 0,
  is_running_late: false,
  is_buyer_here: false,
  is_seller_here: false,
  is_buyer_late: false,
  is_seller_late: false,
  buyer_late_at: null,
  seller_late_at: null,
  has_agreed_in_chat: false,
  has_kept_hold: false,
  has_objected: false,
  requested_last_day: null,
  deposit: null,
  requested_extra_price: null,
  extra_price: null,
  cancelled_by: null,
  is_late: false,
  reported: null,
  is_contested: false,
  next_notice_at: null,
  completed_at: null,
} satisfies Partial<DealRow>;

/**
 * Returns the deal that a buyer starts about a listing. Throws a field error when the price
 * or the days are not possible.
 */
export const createDeal = (
  wanted: StartDealBody,
  {
    listing,
    buyerId,
    conversationId,
    isReserved,
    now,
    campus,
  }: {
    listing: DealListing;
    buyerId: string;
    conversationId: string;
    isReserved: boolean;
    now: Date;
    campus: Campus;
  },
): DealRow => {
  const kind = getDealKind(listing.category);
  const isRental = kind === 'rental';
  if (isRental) {
    const problem = findRentalPeriodProblem(wanted, listing, { now, campus });
    if (problem) throw problem;
    const days = { first_day: wanted.first_day ?? null, rented_until: listing.rented_until };
    if (isRentedWithoutDeal(days, toCampusDay(campus, now)))
      throw createFieldProblem({ first_day: dealErrorMessages.daysTaken });
  } else if ([wanted.first_day, wanted.last_day, wanted.pickup_time, wanted.return_time].some(Boolean))
    throw createFieldProblem({ first_day: dealErrorMessages.daysOfSale });
  const isWaiting = isReserved || isDrawOpen(listing);
  const transition = findStartTransition(kind);
  const dates = {
    hold_hours: listing.hold_hours,
    first_day: isRental ? (wanted.first_day ?? null) : null,
    deadline_at: null,
    handover_at: null,
  };
  const deal: DealRow = {
    ...initialDealFields,
    ...dates,
    id: randomUUID(),
    listing_id: listing.id,
    conversation_id: conversationId,
    buyer_id: buyerId,
    seller_id: listing.user_id,
    kind,
    state: transition.to,
    turn: 'seller',
    title: listing.title,
    price: choosePrice(kind, wanted, listing, campus),
    ticket_price_cap: isTicketListing(listing) ? (campus.ticketPriceCap ?? 0) : null,
    last_day: isRental ? (wanted.last_day ?? null) : null,
    deposit: isRental ? listing.deposit : null,
    pickup_time: wanted.pickup_time ?? null,
    return_time: wanted.return_time ?? null,
    deadline_at: isWaiting ? null : computeDeadline(transition.deadline, dates, now, campus),
    is_waiting: isWaiting,
    created_at: now,
    changed_at: now,
  };
  return { ...deal, next_notice_at: findNextNoticeTime(deal, now, campus) };
};
