import type { CampusMoney } from './campus.ts';
import { countDaysInclusive } from './days.ts';
import { roundPrice } from './price-fields.ts';
import { formatPrice } from './prices.ts';

const daysPerPeriod: Record<string, number> = { day: 1, week: 7 };

/**
 * Returns whether the price of a rental follows from its days. Only days and weeks have a fixed length;
 * months and flexible periods do not.
 */
export const isRentalPriceComputed = (period: string | null): boolean => (period ?? '') in daysPerPeriod;

/**
 * Returns the total price of a rental from the first to the last day (YYYY-MM-DD, both inclusive),
 * rounded to the decimals of the currency. Returns the listing's price unchanged if it is per month or flexible, because such
 * periods have no fixed length.
 */
export const computeRentalPrice = (
  {
    price,
    period,
    first_day: first,
    last_day: last,
  }: {
    /** The listing's price per period. */
    price: number;
    period: string | null;
    first_day: string;
    last_day: string;
  },
  money: CampusMoney,
): number => {
  const daysInPeriod = daysPerPeriod[period ?? ''];
  if (daysInPeriod === undefined) return price;
  return roundPrice(money, (price * countDaysInclusive(first, last)) / daysInPeriod);
};

/**
 * Returns the price of the days from the last day of a rental to `until` (YYYY-MM-DD), at the rental's own price per day, rounded
 * to the decimals of the currency. Returns undefined when there are no such days, or the price is unknown.
 */
export const computeExtraPrice = (
  {
    price,
    first_day: first,
    last_day: last,
  }: { price: number | null; first_day: string | null; last_day: string | null },
  until: string,
  money: CampusMoney,
): number | undefined => {
  if (price === null || first === null || last === null || until <= last) return undefined;
  const extraDays = countDaysInclusive(last, until) - 1;
  return roundPrice(money, (price * extraDays) / countDaysInclusive(first, last));
};

/** Returns the sentences about the deposit of a rental, as in 'Deposit: $50. Quad holds no money.' */
export const formatDeposit = (deposit: number, money: CampusMoney): string =>
  `Deposit: ${formatPrice(money, deposit)}. Quad holds no money.`;
