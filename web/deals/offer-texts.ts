import type { CampusFormats } from '#contract/campus.ts';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { Listing } from '#contract/listings.ts';
import { formatPrice } from '#contract/prices.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import type { OfferDialogName } from './listing-deal-buttons.tsx';

export const offerDialogTitles: Record<OfferDialogName, string> = {
  ask: 'Ask to buy',
  offer: 'Make an offer',
  claim: 'I’d like this',
  request: 'Choose days',
};

export const offerSubmitLabels: Record<OfferDialogName, string> = {
  ask: 'Send request',
  offer: 'Send offer',
  claim: 'Send request',
  request: 'Request these days',
};

/** Returns a description of what happens after the person sends the form that starts a deal. */
export const describeNextStepAfterOffer = (
  name: OfferDialogName,
  { seller, price, gift_mode: mode, draw_closes_at: closesAt }: Listing,
  { campus, now }: { campus: CampusFormats; now: Date },
): string => {
  const sellerName = isolateDirection(seller.name);
  if (name === 'ask')
    return `${sellerName} has to accept your request to buy for ${formatPrice(campus, price)}.`;
  if (name === 'offer')
    return `The price is ${formatPrice(campus, price)}. ${sellerName} can accept, decline or suggest another one.`;
  if (name === 'claim')
    return mode === 'draw' && closesAt && new Date(closesAt) > now
      ? `You take part in a draw. It closes on ${formatCampusTime(closesAt, campus)}, and whoever is drawn first can get it.`
      : `${sellerName} has to accept before you pick it up.`;
  return `Choose the first and the last day. ${sellerName} has to accept.`;
};
