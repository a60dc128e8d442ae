import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { createOfferedPriceSchema } from '#contract/deals.ts';
import { listSuggestedCounterOffers, listSuggestedOffers } from './suggested-offers.ts';

describe('the suggested offers', () => {
  test.each([
    [110, [99, 88, 110]],
    [17.5, [16, 14, 17.5]],
    [10, [9, 8, 10]],
    [2.5, [2.25, 2, 2.5]],
    [1, [0.75, 1]],
    [0.05, [0.05]],
  ])('for $%d are %j', (price, offers) => {
    expect(listSuggestedOffers(price, defaultCampus).map((offer) => offer.price)).toEqual(offers);
  });

  test.each([
    ['JPY', 100, 3300, [3000, 2600, 3300]],
    ['KWD', 0.5, 6.25, [5.5, 5, 6.25]],
  ])('for a price in %s with a scale of %d, %d, are %j', (currency, priceScale, price, offers) => {
    const campus = { ...defaultCampus, currency, priceScale };
    expect(listSuggestedOffers(price, campus).map((offer) => offer.price)).toEqual(offers);
  });

  test('are valid, differ, and are never above the price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (cents) => {
        const offers = listSuggestedOffers(cents / 100, defaultCampus).map(({ price }) => price);
        expect(
          offers.every((price) => createOfferedPriceSchema(defaultCampus).safeParse(price).success),
        ).toBe(true);
        expect(Math.max(...offers)).toBe(cents / 100);
        expect(new Set(offers).size).toBe(offers.length);
      }),
    );
  });
});

test.each([
  ['seller', 90, 110, [100, 110]],
  ['seller', 108.99, 109, [109]],
  ['seller', 120, 110, []],
  ['seller', 90, null, []],
  ['buyer', 100, 110, [90, 80]],
  ['buyer', 100, null, [90, 80]],
] as const)(
  'the suggested answers of a %s to $%d with an asking price of %d are %j',
  (party, offer, askingPrice, prices) => {
    const offers = listSuggestedCounterOffers(party, { offer, askingPrice }, defaultCampus);
    expect(offers.map(({ price }) => price)).toEqual(prices);
  },
);
