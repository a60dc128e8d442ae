import type { Campus, CampusMoney } from './campus.ts';
import { getPriceDecimals } from './prices.ts';

/** The highest price in units of about a dollar. */
const maxPrice = 100_000;
/** The highest price that any campus may have, in any currency. */
export const maxStoredPrice = 10_000_000_000;

/** Returns the highest price on a campus. */
export const getMaxPrice = ({ priceScale }: Pick<Campus, 'priceScale'>): number => maxPrice * priceScale;

/** Returns whether a price has no more decimals than the currency. */
export const hasPriceDecimals = (money: CampusMoney, price: number): boolean => {
  const [, decimals = ''] = /^\d+(?:\.(\d+))?$/.exec(String(price)) ?? [undefined, '-'.repeat(4)];
  return decimals.length <= getPriceDecimals(money);
};
