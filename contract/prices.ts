import type { CampusMoney } from './campus.ts';
import { getNumberFormat } from './number-format.ts';

const getPriceFormat = ({ locale, currency }: CampusMoney, options?: Intl.NumberFormatOptions) =>
  getNumberFormat(locale, { style: 'currency', currency, ...options });

/** Returns how many decimals a price has at most: 2 for dollars, 0 for yen. */
export const getPriceDecimals = (money: CampusMoney): number =>
  getPriceFormat(money).resolvedOptions().maximumFractionDigits ?? 2;

/** Rounds an amount to the decimals of the currency. */
export const roundPrice = (money: CampusMoney, amount: number): number => {
  const factor = 10 ** getPriceDecimals(money);
  return Math.round(amount * factor) / factor;
};

/** Formats an amount as a person would type it: without currency, as in '1200.50' or '1200,50'. */
export const formatPriceField = (money: CampusMoney, amount: number, isExact = true): string =>
  getNumberFormat(money.locale, {
    useGrouping: false,
    minimumFractionDigits: isExact || !Number.isInteger(amount) ? getPriceDecimals(money) : 0,
    maximumFractionDigits: getPriceDecimals(money),
  }).format(amount);

/** Returns the sign of the currency, as in '$'. */
export const getCurrencySign = (money: CampusMoney): string =>
  getPriceFormat(money, { currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? money.currency;

/**
 * Formats a price with all decimals of the currency, as the page of a listing shows it, as in '$110.00' or 'Free'
 * (specification §9).
 */
export const formatExactPrice = (money: CampusMoney, price: number): string =>
  price === 0 ? 'Free' : formatAmount(money, price, true);

/** Formats an amount, without decimals if it is whole and need not be exact, as in '$0', '$17.50' or '1.200 €'. */
export const formatAmount = (money: CampusMoney, amount: number, isExact = false): string =>
  getPriceFormat(money, Number.isInteger(amount) && !isExact ? { maximumFractionDigits: 0 } : {}).format(
    amount,
  );

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
