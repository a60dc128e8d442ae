import { type Campus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { type DealTransitionBody, dealErrorMessages, maxHandoverDaysAhead } from '#contract/deals.ts';
import { createFieldProblem } from '#contract/errors.ts';
import { isRentalOver, toCampusMinute } from '#contract/rental-times.ts';
import { findSpotPlace } from '#server/features/handovers/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getDealParty, isItemOverdue } from './presenter.ts';
import type { TransitionData } from './process.ts';
import { findExtensionProblem } from './rental-days.ts';
import type { DealWithContext } from './repository.ts';
import { assertTicketPriceAllowed, findLatestHoldEnd } from './ticket-deals.ts';
import type { LockedDeal } from './transitions.ts';

interface DataContext {
  userId: string;
  now: Date;
  campus: Campus;
}

const findTimeProblem = (
  deal: DealWithContext,
  time: Date,
  { now, campus }: DataContext,
): string | undefined => {
  if (time <= now) return dealErrorMessages.timePast;
  const latestHoldEnd = findLatestHoldEnd(deal, now, campus);
  if (latestHoldEnd && time > latestHoldEnd) return dealErrorMessages.timeOfTickets;
  if (deal.first_day !== null) {
    const [day, minute] = [toCampusDay(campus, time), toCampusMinute(campus, time)];
    const isFirstDay = day === deal.first_day;
    if (deal.pickup_time === null) {
      if (!isFirstDay && day !== addDays(deal.first_day, -1)) return dealErrorMessages.timeOfRental;
    } else if (!isFirstDay || minute < `${day}T${deal.pickup_time}`) return dealErrorMessages.timePickup;
    return isRentalOver(deal, minute) ? dealErrorMessages.timeReturn : undefined;
  }
  return time > addSeconds(now, maxHandoverDaysAhead * dayInSeconds) ? dealErrorMessages.timeFar : undefined;
};

const readProposal = async (
  tx: Queryable,
  body: Extract<DealTransitionBody, { transition: 'propose_handover' }>,
  deal: DealWithContext,
  context: DataContext,
): Promise<TransitionData> => {
  const times = body.times.map((time) => new Date(time));
  for (const time of times) {
    const sentence = findTimeProblem(deal, time, context);
    if (sentence) throw createFieldProblem({ times: sentence });
  }
  const spotId = body.spot_id ?? null;
  const spot = spotId === null ? { name: body.place, landmark: null } : await findSpotPlace(tx, spotId);
  if (!spot?.name) throw createFieldProblem({ place: dealErrorMessages.place });
  return { place: { spotId, name: spot.name }, landmark: spot.landmark, times };
};

// Returns undefined if the other party has replaced the suggestion after this party saw it.
const readAgreement = (
  body: Extract<DealTransitionBody, { transition: 'agree_handover' }>,
  deal: DealWithContext,
  { now }: DataContext,
): TransitionData | undefined => {
  const time = new Date(body.time);
  const isProposed = deal.proposed_times.some((proposed) => proposed.getTime() === time.getTime());
  if (!isProposed || (body.place !== undefined && body.place !== deal.place)) return undefined;
  if (time <= now) throw createFieldProblem({ time: dealErrorMessages.timePast });
  return { time, landmark: deal.spot_landmark };
};

const readLastDay = (
  lastDay: string,
  { listing, deal }: LockedDeal,
  context: DataContext,
): TransitionData | undefined => {
  const { first_day, last_day, pickup_time, return_time } = deal;
  if (first_day === null || last_day === null) return undefined;
  const period = { first_day, pickup_time, last_day: lastDay, return_time };
  const problem = findExtensionProblem(period, { last_day }, listing ?? {}, context);
  if (problem) throw createFieldProblem({ last_day: problem });
  return { lastDay };
};

/**
 * Returns the data of a person's transition, checked against the deal, or undefined when the transition answers a
 * suggestion that is no longer current. Throws a field error when the data is invalid.
 */
export const readTransitionData = async (
  tx: Queryable,
  body: DealTransitionBody,
  locked: LockedDeal,
  context: DataContext,
): Promise<TransitionData | undefined> => {
  const { listing, deal } = locked;
  switch (body.transition) {
    case 'counter': {
      const isBuyer = getDealParty(deal, context.userId) === 'buyer';
      if (isBuyer && deal.kind === 'sale' && listing?.is_price_firm && body.price !== listing.price)
        throw createFieldProblem({ price: dealErrorMessages.priceFirm });
      assertTicketPriceAllowed(deal, body.price, context.campus);
      return { price: body.price };
    }
    case 'accept':
      assertTicketPriceAllowed(deal, deal.price, context.campus);
      return {};
    case 'cancel':
      return {
        reason: body.reason,
        isItemOverdue: isItemOverdue(deal, toCampusMinute(context.campus, context.now)),
      };
    case 'propose_handover':
      return readProposal(tx, body, deal, context);
    case 'agree_handover':
      return readAgreement(body, deal, context);
    case 'propose_extra_price':
      return { price: body.price };
    case 'extend':
      return readLastDay(body.last_day, locked, context);
    default:
      return {};
  }
};
