/** A usual offer: a price in dollars, and how many percent it is below the listing's price. */
export interface SuggestedOffer {
  price: number;
  discount: number;
}

/** Prices from this one on are rounded to whole dollars, lower ones to quarters. */
const wholeDollarsFrom = 10;

const round = (price: number): number =>
  price >= wholeDollarsFrom ? Math.round(price) : Math.round(price * 4) / 4;

/** Returns the usual offers for a price in dollars, the full price last, without duplicates. */
export const listSuggestedOffers = (price: number): SuggestedOffer[] => {
  const lower = [10, 20].map((discount) => ({ price: round(price * (1 - discount / 100)), discount }));
  return [...lower, { price, discount: 0 }].filter(
    (offer, index, all) =>
      offer.price > 0 &&
      offer.price <= price &&
      !all.slice(index + 1).some((later) => later.price === offer.price),
  );
};
