const sumDigits = (digits: string, weight: (index: number) => number): number =>
  [...digits].reduce((sum, digit, index) => sum + (digit === 'X' ? 10 : Number(digit)) * weight(index), 0);

const weighIsbn13 = (index: number): number => (index % 2 === 0 ? 1 : 3);

/** Returns an ISBN-10 or ISBN-13, with or without hyphens, as the 13 digits of its book; undefined when it is not valid. */
export const toIsbn13 = (text: string): string | undefined => {
  const digits = text.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase();
  if (/^97[89]\d{10}$/.test(digits)) return sumDigits(digits, weighIsbn13) % 10 === 0 ? digits : undefined;
  if (!/^\d{9}[\dX]$/.test(digits) || sumDigits(digits, (index) => 10 - index) % 11 !== 0) return undefined;
  const body = `978${digits.slice(0, 9)}`;
  return `${body}${(10 - (sumDigits(body, weighIsbn13) % 10)) % 10}`;
};
