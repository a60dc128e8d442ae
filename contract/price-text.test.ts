import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { createOfferedPriceSchema } from './deals.ts';
import { formatPriceMessages } from './listing-form.ts';
import { formatPriceField } from './price-fields.ts';
import { readPrice } from './price-text.ts';
import { formatAmount, getPriceDecimals } from './prices.ts';

const refused = Number.NaN;

describe('a typed price is read as the campus writes it, and refused where it could mean two amounts', () => {
  test.each([
    ['en-US', 'USD', { '12.50': 12.5, $12: 12, '12 $': 12, 'USD 12': 12, '1,200.50': 1200.5, '1,200': 1200 }],
    [
      'en-US',
      'USD',
      { '12,50': refused, '1.200': refused, '1.200,50': refused, '€12': refused, '1e3': refused },
    ],
    [
      'de-DE',
      'EUR',
      { '12,50': 12.5, '1.200,50 €': 1200.5, '1.200': 1200, '€ 5': 5, '5 EUR': 5, '5 Euro': 5 },
    ],
    ['de-DE', 'EUR', { '12.50': 12.5, '1 200,5': 1200.5, '1.200.000': 1_200_000, '': null, '€': null }],
    [
      'de-DE',
      'EUR',
      { '1,200': refused, '1.20.0': refused, '0.125': refused, $5: refused, '5,5,5': refused, '-3': -3 },
    ],
    [
      'de-CH',
      'CHF',
      { '1’200.50': 1200.5, "1'200.50": 1200.5, 'CHF 12': 12, '1,200': refused, '1’20': refused },
    ],
    ['fr-FR', 'EUR', { '1 200,50': 1200.5, '1\u202f200': 1200, '12.5': 12.5, '1.200': refused }],
    [
      'ja-JP',
      'JPY',
      { '¥1,200': 1200, '￥１，２００': 1200, '1,200円': 1200, '12.00': 12, '1.200': refused },
    ],
    ['en-IN', 'INR', { '₹1,20,000.50': 120_000.5, '120,000': 120_000, '12,34': refused }],
    ['en-KW', 'KWD', { '1.250': 1.25, '1,250': 1250, '12.3456': 12.3456 }],
    ['ar-KW', 'KWD', { '١٬٢٠٠٫٥': 1200.5, '٢٥': 25, '1.5': 1.5 }],
  ])('%s %s: %j', (locale, currency, prices) => {
    for (const [typed, price] of Object.entries(prices))
      expect(readPrice({ locale, currency }, typed), typed).toBe(price);
  });

  test.each([
    ['en-US', 'USD'],
    ['de-DE', 'EUR'],
    ['de-CH', 'CHF'],
    ['fr-FR', 'EUR'],
    ['ja-JP', 'JPY'],
    ['en-IN', 'INR'],
    ['ar-KW', 'KWD'],
    ['sv-SE', 'SEK'],
    ['pl-PL', 'PLN'],
  ])('every price that is written in %s and %s is read as the same one', (locale, currency) => {
    const money = { locale, currency };
    const decimals = getPriceDecimals(money);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (units) => {
        const price = units / 10 ** decimals;
        for (const isExact of [true, false])
          for (const text of [formatAmount(money, price, isExact), formatPriceField(money, price, isExact)])
            expect(readPrice(money, text), text).toBe(price);
        // This is what scripts send.
        if (decimals < 3) expect(readPrice(money, price.toFixed(decimals))).toBe(price);
      }),
    );
  });
});

test.each([
  [{}, 'Price can have at most 2 decimal places', 'for example 25 or 25.50', '$0.00', '$100,000.00'],
  [
    { locale: 'de-DE', currency: 'EUR' },
    'Price can have at most 2 decimal places',
    'for example 25 or 25,50',
    '0,00 €',
    '100.000,00 €',
  ],
  [
    { locale: 'ja-JP', currency: 'JPY', priceScale: 100 },
    'Price must be a whole number',
    'for example 2500',
    '¥0',
    '¥10,000,000',
  ],
  [
    { locale: 'en-KW', currency: 'KWD', priceScale: 0.5 },
    'Price can have at most 3 decimal places',
    'for example 12.500 or 12.750',
    'KWD 0.000',
    'KWD 50,000.000',
  ],
])('the messages about prices follow the currency: %j', (money, decimals, example, zero, highest) => {
  const plain = Object.fromEntries(
    Object.entries(formatPriceMessages({ ...defaultCampus, ...money })).map(([name, text]) => [
      name,
      text.replaceAll('\u00a0', ' '),
    ]),
  );
  expect(plain).toMatchObject({
    priceDecimals: decimals,
    priceFormat: `Enter the price in digits, ${example}`,
    priceFree: `Price must be ${zero} for free items or greater than ${zero} for other categories`,
    priceHigh: `Price must be at most ${highest}`,
  });
  const offered = createOfferedPriceSchema({ ...defaultCampus, ...money }).safeParse(Number.NaN);
  expect(offered.error?.issues[0]?.message).toBe(`Enter the price in digits, ${example}`);
});
