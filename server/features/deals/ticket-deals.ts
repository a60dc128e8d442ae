import type { Campus, CampusTimeZone } from '#contract/campus.ts';
import { createFieldProblem } from '#contract/errors.ts';
import {
  findCapProblem,
  isTicketListing,
  type TicketValues,
  ticketErrorMessages,
} from '#contract/tickets.ts';
import { findLatestTicketHoldEnd } from './deadlines.ts';
import type { DealWithContext } from './repository.ts';

type TicketDeal = Required<TicketValues> &
  Pick<DealWithContext, 'listing_category' | 'listing_title' | 'game_day' | 'ticket_price_cap'>;

/**
 * Returns whether a deal is about tickets: its listing offers tickets, or did when the deal was started and was changed
 * since, which must not free the deal from its cap.
 */
export const isTicketDeal = ({
  listing_category: category,
  listing_title: title,
  ticket_price_cap: cap,
  ...values
}: TicketDeal): boolean => cap !== null || isTicketListing({ ...values, category, title });

/**
 * Throws when a price of a deal about tickets is above the cap under which the deal was started. A lower face value that the
 * seller entered since counts.
 */
export const assertTicketPriceAllowed = (deal: TicketDeal, price: number | null, campus: Campus): void => {
  if (!isTicketDeal(deal)) return;
  const cap = deal.ticket_price_cap ?? campus.ticketPriceCap;
  const found = findCapProblem(
    { ...campus, ticketPriceCap: cap === 0 ? undefined : cap },
    { face_value: deal.face_value, price },
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
