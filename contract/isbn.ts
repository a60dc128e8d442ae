import { toAsciiDigits } from './digits.ts';

/** Matches what people write before the digits of an ISBN, as in "ISBN: ", "ISBN-13 " and "ISBN (10) ". */
const prefixPattern = /^isbn(?:[- ]{0,3}(?:1[03](?=[:\s])|\(1[03]\)))?[:\s]*/i;
const separatorPattern = /[\s.⁃-]/g;
/** Matches, without taking it, what may be an ISBN from here on within a text, with what is written before it. */
const containedPattern =
  /(?=((?:\bisbn(?:[\p{Dash}\s]{0,3}(?:1[03](?=[:\s])|\(1[03]\)))?[:\s\p{Cf}]{0,5}|(?<![\p{L}\p{N}]))((?:\p{Nd}[\p{Dash}\p{Cf}\s.⁃]{0,3}){12}\p{Nd}|(?:\p{Nd}[\p{Dash}\p{Cf}\s.⁃]{0,3}){9}[\p{Nd}X])(?![\p{L}\p{N}])))/giu;

/** Returns a text with plain digits and hyphens, and without the invisible characters of shops' pages. */
const toPlainText = (text: string): string =>
  toAsciiDigits(text.normalize('NFKC').replace(/\p{Cf}/gu, '')).replace(/\p{Dash}/gu, '-');

const getCheckDigit13 = (digits: string): string => {
  const sum = [...digits.slice(0, 12)].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
};

const getCheckDigit10 = (digits: string): string => {
  const sum = [...digits.slice(0, 9)].reduce(
    (total, digit, index) => total + Number(digit) * (10 - index),
    0,
  );
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
};

/**
 * Returns the ISBN-13 of a text that consists of an ISBN-10 or ISBN-13, with or without "ISBN", spaces and hyphens. Returns
 * undefined for any other text, also when the check digit is wrong. Unlike `isbn3`, it does not need to know the publishers,
 * so the ISBN of a new one is valid, too.
 */
export const parseIsbn = (text: string): string | undefined => {
  const digits = toPlainText(text)
    .trim()
    .replace(prefixPattern, '')
    .replace(separatorPattern, '')
    .toUpperCase();
  if (/^97[89]\d{10}$/.test(digits)) return digits.endsWith(getCheckDigit13(digits)) ? digits : undefined;
  if (!/^\d{9}[\dX]$/.test(digits) || !digits.endsWith(getCheckDigit10(digits))) return undefined;
  const body = `978${digits.slice(0, 9)}`;
  return body + getCheckDigit13(body);
};

/** Returns a text in which each ISBN consists of its 10 or 13 digits only: without "ISBN", spaces and hyphens. */
export const separateIsbns = (text: string): string => {
  let separated = '';
  let end = 0;
  // The candidates overlap, because another number can stand right before an ISBN.
  for (const { index, 1: found = '', 2: typed = '' } of text.matchAll(containedPattern)) {
    if (index < end || !parseIsbn(typed)) continue;
    separated += `${text.slice(end, index)} ${toPlainText(typed).replace(separatorPattern, '')} `;
    end = index + found.length;
  }
  return separated + text.slice(end);
};

/** Returns the ISBN-10 of an ISBN-13, or undefined when it has none. */
export const toIsbn10 = (isbn13: string): string | undefined => {
  if (!isbn13.startsWith('978')) return undefined;
  const body = isbn13.slice(3, 12);
  return body + getCheckDigit10(body);
};
