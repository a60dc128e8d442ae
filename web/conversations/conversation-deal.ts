import type { CampusFormats, CampusMoney } from '#contract/campus.ts';
import type { ConversationDeal } from '#contract/conversations.ts';
import { type DealParty, getOtherParty } from '#contract/deal-states.ts';
import { formatPrice } from '#contract/prices.ts';
import { formatRentalEnd } from '#contract/rental-times.ts';
import { formatBriefHandoverTime } from '#web/deals/public.ts';

interface DescriptionContext {
  /** The price of the listing, or null when it is not available. */
  askingPrice: number | null;
  campus: CampusFormats;
  now: Date;
}

/** Returns the offered price and, if it differs, the asking price, as in '$22 / $30'. */
const formatOffer = (
  { kind, price }: ConversationDeal,
  askingPrice: number | null,
  money: CampusMoney,
): string => {
  if (kind === 'gift' || price === null) return '';
  const offered = formatPrice(money, price);
  // The price of a rental is for the whole time, and its listing's price for a period.
  return kind === 'sale' && askingPrice !== null && askingPrice !== price
    ? `${offered} / ${formatPrice(money, askingPrice)}`
    : offered;
};

const join = (...parts: string[]): string => parts.filter(Boolean).join(' · ');

/** Returns what a row of the inbox says about an open deal, worded for one of its parties. */
export const describeConversationDeal = (
  deal: ConversationDeal,
  party: DealParty,
  { askingPrice, campus, now }: DescriptionContext,
): { isOwnTurn: boolean; text: string } => {
  const offer = formatOffer(deal, askingPrice, campus);
  switch (deal.state) {
    case 'offered': {
      if (deal.waiting) return { isOwnTurn: false, text: join('Waiting', offer) };
      const isOwnTurn = deal.turn === party;
      const noun = deal.kind === 'gift' ? 'Request' : 'Offer';
      return { isOwnTurn, text: isOwnTurn ? offer || noun : join(noun, offer) };
    }
    case 'held': {
      if (deal.handover_proposed_by === getOtherParty(party))
        return { isOwnTurn: true, text: 'Choose a time' };
      const next = deal.handover_at ? formatBriefHandoverTime(deal.handover_at, campus, now) : offer;
      return { isOwnTurn: false, text: join('Held', next) };
    }
    case 'handed_over':
      return party === 'buyer'
        ? { isOwnTurn: true, text: 'Do you have it?' }
        : { isOwnTurn: false, text: 'Handed over' };
    case 'out':
      return { isOwnTurn: false, text: `Rented until ${formatRentalEnd(deal, campus)}` };
    case 'back':
      return party === 'seller'
        ? { isOwnTurn: true, text: 'Is it back?' }
        : { isOwnTurn: false, text: 'Returned' };
  }
};
