import type { CampusPrices } from '#contract/campus.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { roundPrice } from '#contract/price-fields.ts';

/** A usual offer: a price, and how many percent it is below the price to which it responds. */
export interface SuggestedOffer {
  price: number;
  discount: number;
}

/** Prices from this one on are rounded to about a dollar, lower ones to about a quarter. */
const wholeFrom = 10;

const round = (price: number, campus: CampusPrices): number => {
  const { priceScale } = campus;
  const step = price >= wholeFrom * priceScale ? priceScale : priceScale / 4;
  return roundPrice(campus, Math.round(price / step) * step);
};

/** Returns the usual offers for a price, the full price last, without duplicates. */
export const listSuggestedOffers = (price: number, campus: CampusPrices): SuggestedOffer[] => {
  const lower = [10, 20].map((discount) => ({
    price: round(price * (1 - discount / 100), campus),
    discount,
  }));
  return [...lower, { price, discount: 0 }].filter(
    (offer, index, all) =>
      offer.price > 0 &&
      offer.price <= price &&
      !all.slice(index + 1).some((later) => later.price === offer.price),
  );
};

/**
 * Returns the usual answers to an offer: for a seller halfway to the asking price, and the asking price; for a buyer
 * lower prices. `askingPrice` is null when it is not known.
 */
export const listSuggestedCounterOffers = (
  party: DealParty,
  { offer, askingPrice }: { offer: number; askingPrice: number | null },
  campus: CampusPrices,
): SuggestedOffer[] => {
  if (party === 'buyer') return listSuggestedOffers(offer, campus).filter(({ discount }) => discount > 0);
  if (askingPrice === null) return [];
  const prices = new Set([round((offer + askingPrice) / 2, campus), askingPrice]);
  return [...prices]
    .filter((price) => price > offer && price <= askingPrice)
    .map((price) => ({ price, discount: 0 }));
};
