import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import {
  computeExtraPrice,
  computeRentalPrice,
  computeRentalTotal,
  formatRentalTotal,
  type RentalRates,
} from './rental-prices.ts';

const explain = (rates: RentalRates, days: number): string | undefined => {
  const total = computeRentalTotal(rates, days, defaultCampus);
  return total && `${formatRentalTotal(total)}, $${total.price}`;
};

test.each<[RentalRates, number, string | undefined]>([
  [{ price: 10, period: 'day', week_price: 30 }, 9, '9 days: 1 week + 2 days, $50'],
  [{ price: 10, period: 'day' }, 3, '3 days, $30'],
  [{ price: 10, period: 'day', week_price: 45 }, 6, '6 days: 1 week, $45'],
  [{ price: 70, period: 'week' }, 9, '9 days: 1 week + 2 days, $90'],
  [{ price: 70, period: 'week' }, 1, '1 day, $10'],
  [{ price: 20, period: 'day', month_price: 150 }, 31, '31 days: 1 month + 1 day, $170'],
  [{ price: 20, period: 'day', month_price: 150 }, 29, '29 days: 1 month, $150'],
  [{ price: 200, period: 'month' }, 12, undefined],
  [{ price: 20, period: 'flexible', month_price: 150 }, 12, undefined],
  [{ price: 20, period: 'flexible', day_price: 4 }, 12, '12 days, $48'],
  [{ price: 20, period: 'day', day_price: 4 }, 2, '2 days, $8'],
])('%o for %d days: %s', (rates, days, expected) => {
  expect(explain(rates, days)).toBe(expected);
});

test('without a price for a day or a week the price is that of the listing', () => {
  const days = { first_day: '2026-10-01', last_day: '2026-10-12' };
  expect(computeRentalPrice({ price: 200, period: 'month', ...days }, defaultCampus)).toBe(200);
});

test('is as cheap as the cheapest way to buy days one unit after the other', () => {
  const price = fc.integer({ min: 1, max: 500 });
  const rates = fc.record({ day: price, week: fc.option(price), month: fc.option(price) });
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 181 }), ({ day, week, month }, days) => {
      // The cheapest price for at least n days, from those for fewer days.
      const cheapest = [0];
      const buy = (n: number, length: number, unit: number | null): number =>
        unit === null ? Number.POSITIVE_INFINITY : (cheapest[Math.max(0, n - length)] ?? 0) + unit;
      for (let n = 1; n <= days; n += 1)
        cheapest.push(Math.min(buy(n, 1, day), buy(n, 7, week), buy(n, 30, month)));
      const total = computeRentalTotal(
        { price: day, period: 'day', week_price: week, month_price: month },
        days,
        defaultCampus,
      );
      expect(total?.price).toBe(cheapest[days]);
      const lengths = { day: 1, week: 7, month: 30 };
      const prices = { day, week: week ?? 0, month: month ?? 0 };
      const bought = total?.parts ?? [];
      expect(bought.reduce((sum, { unit, count }) => sum + lengths[unit] * count, 0)).toBeGreaterThanOrEqual(
        days,
      );
      expect(bought.reduce((sum, { unit, count }) => sum + prices[unit] * count, 0)).toBe(total?.price);
    }),
  );
});

const rental = { price: 60, first_day: '2026-03-03', last_day: '2026-03-05' };

test.each([
  ['2026-03-05', rental, undefined],
  ['2026-03-06', rental, 20],
  ['2026-03-08', rental, 60],
  ['2026-03-06', { ...rental, price: 50 }, 16.67],
  ['2026-03-06', { ...rental, pickup_time: '12:00', return_time: '12:00' }, 30],
  ['2026-03-06', { ...rental, price: null }, undefined],
  ['2026-03-06', { ...rental, first_day: null, last_day: null }, undefined],
])('the extra days until %s of %o cost %s', (until, facts, price) => {
  expect(computeExtraPrice(facts, until, defaultCampus)).toBe(price);
});
