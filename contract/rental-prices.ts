import type { CampusMoney } from './campus.ts';
import { countDaysInclusive } from './days.ts';
import { roundPrice } from './price-fields.ts';
import { formatPrice } from './prices.ts';
import { countRentalDays, type DealRentalPeriod, type RentalPeriod } from './rental-times.ts';

/** The prices of an item for rent: the listing's price for its period, and further prices. */
export interface RentalRates {
  price: number;
  /** What the listing's price is for: 'day', 'week', 'month' or 'flexible'. */
  period: string | null;
  day_price?: number | null | undefined;
  week_price?: number | null | undefined;
  month_price?: number | null | undefined;
}

/** The units of rental prices with their lengths in days, longest first. A month counts as 30 days. */
const unitDays = { month: 30, week: 7, day: 1 } as const;
type RentalUnit = keyof typeof unitDays;

/** A part of a rental's total price, such as 2 weeks. */
export interface RentalPricePart {
  unit: RentalUnit;
  count: number;
}

export interface RentalTotal {
  price: number;
  /** The number of days, and of which units the price consists, longest first. They may last longer than the rental. */
  days: number;
  parts: RentalPricePart[];
}

const findRate = (rates: RentalRates, unit: RentalUnit): number | undefined => {
  const prices = [rates.period === unit ? rates.price : undefined, rates[`${unit}_price`]];
  const known = prices.filter((price) => price !== undefined && price !== null);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/**
 * Returns whether the price of a rental follows from its days: if there is a price for a day or a week. A price for a month
 * alone, or for a flexible period, is only where people begin to agree.
 */
export const isRentalPriceComputed = (rates: RentalRates): boolean =>
  findRate(rates, 'day') !== undefined || findRate(rates, 'week') !== undefined;

/**
 * Returns the cheapest combination of months, weeks and days that covers a rental, rounded to the decimals of the currency.
 * Without a price for a day, each day costs a seventh of a week. Of combinations with the same price, returns the one with the
 * longest units. Returns undefined when the price does not follow from the days.
 */
export const computeRentalTotal = (
  rates: RentalRates,
  days: number,
  money: CampusMoney,
): RentalTotal | undefined => {
  if (!isRentalPriceComputed(rates)) return undefined;
  const [month, week, day] = [findRate(rates, 'month'), findRate(rates, 'week'), findRate(rates, 'day')];
  let best: RentalTotal | undefined;
  for (let months = month === undefined ? 0 : Math.ceil(days / unitDays.month); months >= 0; months -= 1) {
    const afterMonths = Math.max(0, days - months * unitDays.month);
    for (
      let weeks = week === undefined ? 0 : Math.ceil(afterMonths / unitDays.week);
      weeks >= 0;
      weeks -= 1
    ) {
      const rest = Math.max(0, afterMonths - weeks * unitDays.week);
      const shorter =
        day === undefined
          ? ((week ?? 0) * (weeks * unitDays.week + rest)) / unitDays.week
          : (week ?? 0) * weeks + day * rest;
      const price = roundPrice(money, (month ?? 0) * months + shorter);
      if (best && best.price <= price) continue;
      const counts = { month: months, week: weeks, day: rest };
      const parts = (Object.keys(unitDays) as RentalUnit[])
        .map((unit) => ({ unit, count: counts[unit] }))
        .filter(({ count }) => count > 0);
      best = { price, days, parts };
    }
  }
  return best;
};

/** Returns the total price of a rental, or the listing's price when the total does not follow from the days. */
export const computeRentalPrice = (rental: RentalRates & RentalPeriod, money: CampusMoney): number =>
  computeRentalTotal(rental, countRentalDays(rental), money)?.price ?? rental.price;

const formatUnits = ({ unit, count }: RentalPricePart): string =>
  count === 1 ? `1 ${unit}` : `${count} ${unit}s`;

/** Formats of what the price of a rental consists, as in '9 days: 1 week + 2 days', or only '2 days' when it has no longer unit. */
export const formatRentalTotal = ({ days, parts }: RentalTotal): string => {
  const total = formatUnits({ unit: 'day', count: days });
  const sum = parts.map(formatUnits).join(' + ');
  return sum === total ? total : `${total}: ${sum}`;
};

/**
 * Returns the price of the days from the last day of a rental to `until` (YYYY-MM-DD), at the rental's own price per day, rounded
 * to the decimals of the currency. Returns undefined when there are no such days, or the price is unknown.
 */
export const computeExtraPrice = (
  { price, ...rental }: DealRentalPeriod & { price: number | null },
  until: string,
  money: CampusMoney,
): number | undefined => {
  const { first_day: first, last_day: last } = rental;
  if (price === null || first === null || last === null || until <= last) return undefined;
  const extraDays = countDaysInclusive(last, until) - 1;
  return roundPrice(
    money,
    (price * extraDays) / countRentalDays({ ...rental, first_day: first, last_day: last }),
  );
};

/** Returns the sentences about the deposit of a rental, as in 'Deposit: $50. Quad holds no money.' */
export const formatDeposit = (deposit: number, money: CampusMoney): string =>
  `Deposit: ${formatPrice(money, deposit)}. Quad holds no money.`;
