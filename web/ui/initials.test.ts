import { expect, test } from 'vitest';
import { toInitials } from './initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['Maria del Carmen Ruiz', 'MR'],
  ['tommy', 'T'],
  ['tommy.trojan', 'TT'],
  ['  Zoë   Ång ', 'ZÅ'],
  ['😀 Party', '😀P'],
  ['', '?'],
  ['   ', '?'],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(toInitials(name)).toBe(initials);
});
