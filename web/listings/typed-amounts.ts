import { redirect } from 'react-router';
import type { CampusMoney } from '#contract/campus.ts';
import { roundPrice } from '#contract/price-fields.ts';
import { readPrice } from '#contract/price-text.ts';
import { getPriceDecimals } from '#contract/prices.ts';
import { hasTypedAmounts } from './filters.ts';

/** Returns a typed amount as in a URL, or undefined if it is neither an amount nor blank. */
export const parseAmount = (money: CampusMoney, text: string): string | undefined => {
  const amount = readPrice(money, text);
  if (amount === null) return '';
  if (!(amount >= 0) || roundPrice(money, amount) !== amount) return undefined;
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(getPriceDecimals(money));
};

/** Returns the range between two amounts, of which either may be blank, in the order of their size. */
export const toPriceRange = (min: string, max: string): string => {
  const [from, to] = min && max && Number(min) > Number(max) ? [max, min] : [min, max];
  return from || to ? `${from || 0}-${to}` : '';
};

/** Returns the parameters with the range between the typed amounts instead of the amounts. */
export const readTypedAmounts = (params: URLSearchParams, money: CampusMoney): URLSearchParams => {
  const { min_price: min = '', max_price: max = '', ...others } = Object.fromEntries(params);
  const range = toPriceRange(parseAmount(money, min) ?? '', parseAmount(money, max) ?? '');
  return new URLSearchParams(range ? { ...others, price: range } : others);
};

/** Redirects from a URL with typed amounts, which the form sends without JavaScript, to the one with their range. */
export const redirectTypedAmounts = ({ pathname, searchParams }: URL, money: CampusMoney): void => {
  if (hasTypedAmounts(searchParams)) throw redirect(`${pathname}?${readTypedAmounts(searchParams, money)}`);
};
