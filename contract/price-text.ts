import type { CampusMoney } from './campus.ts';
import { getNumberFormat } from './number-format.ts';
import { getPriceDecimals } from './prices.ts';
import { blankToNull, normalizeLine } from './text.ts';

interface Notation {
  decimal: string;
  groups: readonly string[];
  /** How many digits a group has that is neither the first nor the last: 2 in India, otherwise 3. */
  groupSize: number;
  /** The digits of the locale from 0 to 9. */
  digits: readonly string[];
  /** The signs and names of the currency, longest first. */
  signs: readonly string[];
}

const notations = new Map<string, Notation>();

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const createNotation = ({ locale, currency }: CampusMoney): Notation => {
  const findParts = (type: string, options: Intl.NumberFormatOptions = {}): string[] =>
    getNumberFormat(locale, { minimumFractionDigits: 1, ...options })
      .formatToParts(12_345_678.5)
      .filter((part) => part.type === type)
      .map(({ value }) => value);
  const money = { style: 'currency', currency } as const;
  const [decimal = '.'] = findParts('decimal', money);
  const groups = new Set([...findParts('group'), ...findParts('group', money)].map(fold));
  for (const sign of [' ', "'", '’']) groups.add(sign);
  const signs = (['symbol', 'narrowSymbol', 'code', 'name'] as const)
    .flatMap((display) => findParts('currency', { ...money, currencyDisplay: display }))
    .map(fold);
  return {
    decimal,
    groups: [...groups].filter((sign) => sign !== decimal),
    groupSize: findParts('integer').at(-2)?.length ?? 3,
    digits: Array.from({ length: 10 }, (_, digit) => getNumberFormat(locale).format(digit)),
    signs: signs.toSorted((one, other) => other.length - one.length),
  };
};

const getNotation = (money: CampusMoney): Notation => {
  const key = `${money.locale} ${money.currency}`;
  const notation = notations.get(key) ?? createNotation(money);
  notations.set(key, notation);
  return notation;
};

const removeCurrency = (text: string, signs: readonly string[]): string => {
  for (const sign of signs) {
    if (text.startsWith(sign)) return text.slice(sign.length).trim();
    if (text.endsWith(sign)) return text.slice(0, -sign.length).trim();
  }
  return text;
};

/** Returns digits without the signs between their groups, or undefined if the groups are incomplete. */
const joinGroups = (whole: string, { groups, groupSize }: Notation): string | undefined => {
  const sign = groups.find((it) => whole.includes(it));
  const [first = '', ...rest] = sign === undefined ? [whole] : whole.split(sign);
  if (![first, ...rest].every((group) => /^\d*$/.test(group))) return undefined;
  if (rest.length === 0) return first;
  const sizes = rest.slice(0, -1).map((group) => group.length);
  const isComplete =
    /^[1-9]\d{0,2}$/.test(first) &&
    rest.at(-1)?.length === 3 &&
    (sizes.every((size) => size === 3) || sizes.every((size) => size === groupSize));
  return isComplete ? [first, ...rest].join('') : undefined;
};

/**
 * Reads a typed price as the campus writes it, with or without the currency: '$1,200.50', or '1.200,50 €'. Returns null
 * if it is blank, and NaN if it is not an amount, or could also mean another one.
 */
export const readPrice = (money: CampusMoney, typed: string): number | null => {
  const notation = getNotation(money);
  const { decimal, digits, signs } = notation;
  const line = fold(normalizeLine(typed)).replace(/\p{Nd}/gu, (digit) =>
    digits.includes(digit) ? String(digits.indexOf(digit)) : digit,
  );
  const amount = removeCurrency(line, signs);
  if (amount === '') return null;
  const positive = amount.replace(/^[-−]/, '');
  // Everybody may write a decimal point, which is what scripts send, unless it could be a sign between thousands.
  const point = /^\d*\.(?!\d{3}$)\d*$/.test(positive) ? '.' : decimal;
  const [whole = '', fraction = '', ...others] = positive.split(point);
  const integer = joinGroups(whole, notation);
  if (integer === undefined || others.length > 0 || !/^\d*$/.test(fraction) || integer + fraction === '')
    return Number.NaN;
  const value = Number(`${integer || 0}.${fraction || 0}`);
  const isThousands = fraction.endsWith('0') && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3;
  if (isThousands && getPriceDecimals(money) < 3) return Number.NaN;
  return positive === amount ? value : -value;
};

/** Converts a typed price like `readPrice`. Returns values that are not text unchanged, but null if they are missing. */
export const priceTextToNumber = (money: CampusMoney, value: unknown) =>
  typeof value === 'string' ? readPrice(money, value) : blankToNull(value);
