import type { Listing } from '#contract/listings.ts';
import { formatPrice } from '#contract/prices.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import type { OfferDialogName } from './listing-deal-buttons.tsx';

export const offerDialogTitles: Record<OfferDialogName, string> = {
  ask: 'Ask to buy',
  offer: 'Make an offer',
  claim: 'I’d like this',
  request: 'Request these days',
};

export const offerSubmitLabels: Record<OfferDialogName, string> = {
  ask: 'Send request',
  offer: 'Send offer',
  claim: 'Send request',
  request: 'Send request',
};

/** Returns a description of what happens after the person sends the form that starts a deal. */
export const describeNextStepAfterOffer = (name: OfferDialogName, { seller, price }: Listing): string => {
  if (name === 'ask')
    return `${isolateDirection(seller.name)} has to accept your request to buy for ${formatPrice(price)}.`;
  if (name === 'offer')
    return `The price is ${formatPrice(price)}. ${isolateDirection(seller.name)} can accept, decline or suggest another one.`;
  if (name === 'claim') return `${isolateDirection(seller.name)} has to accept before you pick it up.`;
  return `Choose the first and the last day. ${isolateDirection(seller.name)} has to accept.`;
};
