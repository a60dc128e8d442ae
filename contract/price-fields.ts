import type { CampusMoney, CampusPrices } from './campus.ts';
import { getNumberFormat } from './number-format.ts';
import { formatAmount, getPriceDecimals, getPriceFormat, withNarrowYen } from './prices.ts';

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

/** Returns a sentence that ends with two prices in dollars, such as '25 or 25.50', with about the same ones of the campus. */
export const formatPriceExamples = (campus: CampusPrices, sentence: string): string =>
  sentence.replace(/(\d{1,6}) or ([\d.]{1,9})$/, (_, whole: string, exact: string) =>
    [whole, ...(getPriceDecimals(campus) === 0 ? [] : [exact])]
      .map((amount) => formatPriceField(campus, Number(amount) * campus.priceScale, amount === exact))
      .join(' or '),
  );

/** Returns the sign of the currency, as in '$'. */
export const getCurrencySign = (money: CampusMoney): string =>
  withNarrowYen(
    getPriceFormat(money, { currencyDisplay: 'narrowSymbol' })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ?? money.currency,
  );

/** Returns whether the currency is written before the amount, as in '$40' and unlike '40 €'. */
export const isCurrencyFirst = (money: CampusMoney): boolean => {
  const types = getPriceFormat(money)
    .formatToParts(0)
    .map(({ type }) => type);
  return types.indexOf('currency') < types.indexOf('integer');
};

/** Formats two amounts with one sign of the currency, as in '$40–55' or '40–55 €'. */
export const formatAmountRange = (money: CampusMoney, low: number, high: number): string => {
  const formatNumber = (amount: number): string => formatPriceNumber(money, amount);
  return isCurrencyFirst(money)
    ? `${formatAmount(money, low)}–${formatNumber(high)}`
    : `${formatNumber(low)}–${formatAmount(money, high)}`;
};

/** Formats an amount without the sign of its currency, and without decimals if it is whole. */
const formatPriceNumber = (money: CampusMoney, amount: number): string =>
  getNumberFormat(money.locale, {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : getPriceDecimals(money),
    maximumFractionDigits: getPriceDecimals(money),
  }).format(amount);
