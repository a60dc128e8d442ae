import { expect, test } from 'vitest';
import { toCsv } from './measures.ts';

test('writes the numbers as CSV', () => {
  const periods = [{ from: '2026-03-02', sign_ups: 1, listings: 20, deals: 3, cases: 0 }];
  expect(toCsv(periods)).toBe('from,sign_ups,listings,deals,cases\r\n2026-03-02,1,20,3,0\r\n');
  expect(toCsv([])).toBe('from,sign_ups,listings,deals,cases\r\n');
});
