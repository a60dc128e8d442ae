import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

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
  expect(initialsOf(name)).toBe(initials);
});
