import type { Campus, CampusTimeZone } from '#contract/campus.ts';
import { createFieldProblem } from '#contract/errors.ts';
import { findTicketPriceProblem, isTicketListing, ticketErrorMessages } from '#contract/tickets.ts';
import { findLatestTicketHoldEnd } from './deadlines.ts';
import type { DealWithContext } from './repository.ts';

type TicketDeal = Pick<
  DealWithContext,
  'listing_category' | 'listing_title' | 'ticket_count' | 'face_value' | 'game_day' | 'ticket_price_cap'
>;

const toTicketFacts = ({
  listing_category: category,
  listing_title: title,
  ticket_count,
  face_value,
}: TicketDeal) => ({ category, title, ticket_count, face_value });

/** Returns whether a deal is about tickets. */
export const isTicketDeal = (deal: TicketDeal): boolean => isTicketListing(toTicketFacts(deal));

/**
 * Throws when a price of a deal about tickets is above the cap under which the deal was started. A lower face value that the
 * seller entered since counts.
 */
export const assertTicketPriceAllowed = (deal: TicketDeal, price: number | null, campus: Campus): void => {
  const cap = deal.ticket_price_cap ?? campus.ticketPriceCap;
  const found = findTicketPriceProblem(
    { ...campus, ticketPriceCap: cap === 0 ? undefined : cap },
    { ...toTicketFacts(deal), price },
  );
  if (!found) return;
  throw createFieldProblem({
    price: found.field === 'price' ? found.message : ticketErrorMessages.faceValueUnknown,
  });
};

/** Returns when the hold of a deal has to end at the latest, or undefined when that is not limited. */
export const findLatestHoldEnd = (deal: TicketDeal, now: Date, campus: CampusTimeZone): Date | undefined =>
  deal.game_day !== null && isTicketDeal(deal)
    ? findLatestTicketHoldEnd(deal.game_day, now, campus)
    : undefined;
