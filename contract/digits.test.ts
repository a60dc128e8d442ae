import { expect, test } from 'vitest';
import { toAsciiDigits } from './digits.ts';

test.each([
  ['A 12', 'A 12'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
  ['０９', '09'],
  ['𝟎𝟗𝟘𝟡𝟶𝟿', '090909'],
  ['Ⅻ½²', 'Ⅻ½²'],
])('writes the digits of %s as %s', (text, expected) => {
  expect(toAsciiDigits(text)).toBe(expected);
});
