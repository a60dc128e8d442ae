import type { CampusMoney } from './campus.ts';
import { getNumberFormat } from './number-format.ts';

const getPriceFormat = ({ locale, currency }: CampusMoney, options?: Intl.NumberFormatOptions) =>
  getNumberFormat(locale, { style: 'currency', currency, ...options });

/**
 * Formats a price with all decimals of the currency, as the page of a listing shows it, as in '$110.00' or 'Free'
 * (specification §9).
 */
export const formatExactPrice = (money: CampusMoney, price: number): string =>
  price === 0 ? 'Free' : getPriceFormat(money).format(price);

/** Formats an amount without decimals if it is whole, as in '$0', '$17.50' or '1.200 €'. */
export const formatAmount = (money: CampusMoney, amount: number): string =>
  getPriceFormat(money, Number.isInteger(amount) ? { maximumFractionDigits: 0 } : {}).format(amount);

/** Formats a price for people, without decimals if it is whole, as in '$110', '$17.50', '1.200 €' or 'Free'. */
export const formatPrice = (money: CampusMoney, price: number): string =>
  price === 0 ? 'Free' : formatAmount(money, price);

/** Formats two amounts with one sign of the currency, as in '$40–55' or '40–55 €'. */
export const formatAmountRange = (money: CampusMoney, low: number, high: number): string => {
  const [first, second] = [low, high].map((amount) => formatAmount(money, amount)) as [string, string];
  const isSignFirst = !/^\p{N}/u.test(second);
  return isSignFirst
    ? `${first}–${second.replace(/^[^\p{N}]+/u, '')}`
    : `${first.replace(/[^\p{N}]+$/u, '')}–${second}`;
};
