import type { CampusMoney } from './campus.ts';
import { getNumberFormat } from './number-format.ts';

/** Returns a format for prices in the currency and locale of a campus. */
export const getPriceFormat = ({ locale, currency }: CampusMoney, options?: Intl.NumberFormatOptions) =>
  getNumberFormat(locale, { style: 'currency', currency, ...options });

/** Returns how many decimals a price has at most: 2 for dollars, 0 for yen. */
export const getPriceDecimals = (money: CampusMoney): number =>
  getPriceFormat(money).resolvedOptions().maximumFractionDigits ?? 2;

/**
 * Formats a price with all decimals of the currency, as the page of a listing shows it, as in '$110.00' or 'Free'
 * (specification §9).
 */
export const formatExactPrice = (money: CampusMoney, price: number): string =>
  price === 0 ? 'Free' : formatAmount(money, price, true);

/** Returns a price with the narrow sign of the yen: Japanese has a wide one, which many fonts lack and English does not use. */
export const withNarrowYen = (price: string): string => price.replace('￥', '¥');

/** Formats an amount, without decimals if it is whole and need not be exact, as in '$0', '$17.50', '¥1,200' or '1.200 €'. */
export const formatAmount = (money: CampusMoney, amount: number, isExact = false): string =>
  withNarrowYen(
    getPriceFormat(money, Number.isInteger(amount) && !isExact ? { maximumFractionDigits: 0 } : {}).format(
      amount,
    ),
  );

/** Formats a price for people, without decimals if it is whole, as in '$110', '$17.50', '1.200 €' or 'Free'. */
export const formatPrice = (money: CampusMoney, price: number): string =>
  price === 0 ? 'Free' : formatAmount(money, price);
