import { countDays } from './days.ts';

const daysPerPeriod: Record<string, number> = { day: 1, week: 7 };

/** Returns whether the price of a rental can be computed from its days; the other periods have no fixed length. */
export const isRentalPriceComputed = (period: string | null): boolean => (period ?? '') in daysPerPeriod;

/**
 * Returns the price in dollars of a rental for these days (YYYY-MM-DD, both inclusive), rounded to
 * cents. The price of a month or of a flexible period is returned unchanged, because months have
 * different lengths.
 */
export const computeRentalPrice = ({
  price,
  period,
  first_day: first,
  last_day: last,
}: {
  /** The price of the listing per period. */
  price: number;
  period: string | null;
  first_day: string;
  last_day: string;
}): number => {
  const daysInPeriod = daysPerPeriod[period ?? ''];
  if (daysInPeriod === undefined) return price;
  return Math.round(((price * countDays(first, last)) / daysInPeriod) * 100) / 100;
};
