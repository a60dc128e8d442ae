import { expect, test } from 'vitest';
import { toOverviewCsv } from './metrics.ts';

test('formats the numbers of each period as CSV', () => {
  const periods = [{ from: '2026-03-02', sign_ups: 1, listings: 20, deals: 3, cases: 0 }];
  expect(toOverviewCsv(periods)).toBe('from,sign_ups,listings,deals,cases\r\n2026-03-02,1,20,3,0\r\n');
  expect(toOverviewCsv([])).toBe('from,sign_ups,listings,deals,cases\r\n');
});
