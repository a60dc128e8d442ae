import { dayInSeconds } from '#server/platform/clock.ts';

/** A completed deal about one of several similar things. */
export interface CompletedDeal {
  sellerId: string;
  buyerId: string;
  price: number;
  completedAt: Date;
}

export interface PriceRange {
  low: number;
  high: number;
}

/** A range that was computed before. */
export interface StoredRange extends PriceRange {
  dealsUntil: Date;
  isShown: boolean;
}

export const salePeriodSeconds = 180 * dayInSeconds;
/** A range is shown for so long after its deals, if too few others follow for a new one. */
export const rangeLifetimeSeconds = 90 * dayInSeconds;
const minDeals = 5;
/** Also the number of buyers who are not among the sellers, and of sellers by which two ranges must differ. */
const minSellers = 4;

const isIn = (deal: CompletedDeal, until: Date): boolean => {
  const age = until.getTime() - deal.completedAt.getTime();
  return age >= 0 && age < salePeriodSeconds * 1000;
};

/** Returns the unit to which amounts of this size are rounded. */
const getStep = (amount: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(amount, 1)));
  return Math.max(1, amount < 2 * magnitude ? magnitude / 10 : magnitude / 2);
};

const getMedian = (prices: readonly number[]): number =>
  prices.toSorted((a, b) => a - b)[Math.floor(prices.length / 2)] ?? 0;

/**
 * Returns the range of the prices of the half year until a time, or undefined when too few people traded. Of two people who
 * traded several times only the last deal counts, and of each seller one price, the median. At least the lowest and the
 * highest seller are left out, and both ends are rounded away from each other.
 */
export const computePriceRange = (deals: readonly CompletedDeal[], until: Date): PriceRange | undefined => {
  const ordered = deals
    .filter((deal) => isIn(deal, until))
    .toSorted((a, b) => a.completedAt.getTime() - b.completedAt.getTime());
  const byPair = new Map(ordered.map((deal) => [[deal.sellerId, deal.buyerId].toSorted().join(), deal]));
  const counted = [...byPair.values()];
  const bySeller = Map.groupBy(counted, ({ sellerId }) => sellerId);
  const buyers = new Set(counted.map(({ buyerId }) => buyerId).filter((id) => !bySeller.has(id)));
  if (counted.length < minDeals || bySeller.size < minSellers || buyers.size < minSellers) return undefined;
  const prices = [...bySeller.values()]
    .map((own) => getMedian(own.map(({ price }) => price)))
    .toSorted((a, b) => a - b);
  const omitted = Math.floor(prices.length / 4);
  const [lowest = 0, highest = 0] = [prices[omitted], prices[prices.length - 1 - omitted]];
  const step = getStep(highest);
  const low = Math.floor(lowest / step) * step;
  const high = Math.ceil(highest / step) * step;
  return low === high ? { low: Math.max(0, low - step), high: high + step } : { low, high };
};

/** Counts the sellers of the deals that only one of two half years contains. */
const countChangedSellers = (deals: readonly CompletedDeal[], one: Date, other: Date): number =>
  new Set(deals.filter((deal) => isIn(deal, one) !== isIn(deal, other)).map(({ sellerId }) => sellerId)).size;

/**
 * Returns what is stored from now on: a new range only if the deals of several sellers have come or gone since the last one,
 * because the difference between two ranges could otherwise tell the price of one deal. `deals` are those of the half years
 * until now and until the last range. Returns undefined when nothing is stored.
 */
export const updatePriceRange = (
  deals: readonly CompletedDeal[],
  stored: StoredRange | undefined,
  now: Date,
): StoredRange | undefined => {
  const range = computePriceRange(deals, now);
  const last = stored && isIn({ completedAt: stored.dealsUntil } as CompletedDeal, now) ? stored : undefined;
  if (!last) return range && { ...range, dealsUntil: now, isShown: true };
  if (range && countChangedSellers(deals, last.dealsUntil, now) >= minSellers)
    return { ...range, dealsUntil: now, isShown: true };
  const isRecent = now.getTime() - last.dealsUntil.getTime() < rangeLifetimeSeconds * 1000;
  return { ...last, isShown: range !== undefined && isRecent };
};
