import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';

const start = async (locale: string, currency: string) => {
  const testApp = await startTestApp({
    environment: { QUAD_CAMPUS_LOCALE: locale, QUAD_CAMPUS_CURRENCY: currency },
  });
  onTestFinished(() => testApp.close());
  const [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
  let number = 0;
  return {
    testApp,
    buyer,
    save: (price: unknown) => {
      testApp.clock.advance(11);
      number += 1;
      return submitListingForm(testApp, seller, {
        price,
        title: `Something of ${currency}, number ${number}`,
      });
    },
    find: async (query: string) => {
      const response = await testApp.server.inject({ url: `/rest/v1/listings?${query}` });
      return response.json().items.map(({ price }: { price: number }) => price);
    },
  };
};

test.each([
  [
    'ja-JP',
    'JPY',
    { '¥1,200,000': 1_200_000, '１２００円': 1200, '10000000': 10_000_000 },
    {
      '12.5': 'Price must be a whole number',
      '1.200': 'Enter the price in digits, for example 2500',
      '10000001': 'Price must be at most ¥10,000,000',
    },
  ],
  [
    'en-KW',
    'KWD',
    { 'KWD 1.250': 1.25, '0.005': 0.005, '1,234.567': 1234.567 },
    { '0.0005': 'Price can have at most 3 decimal places' },
  ],
  [
    'de-DE',
    'EUR',
    { '12,50': 12.5, '1.200,50 €': 1200.5, '12.50': 12.5 },
    {
      '0,125': 'Price can have at most 2 decimal places',
      '1,200': 'Enter the price in digits, for example 25 or 25,50',
    },
  ],
])('prices in %s and %s are read, stored exactly and found', async (locale, currency, accepted, refused) => {
  const { save, find, testApp, buyer } = await start(locale, currency);
  let listingId = '';
  for (const [typed, price] of Object.entries(accepted)) {
    const { body } = await save(typed);
    expect(body.listing?.price, typed).toBe(price);
    expect(await find(`min_price=${price}&max_price=${price}`)).toContain(price);
    listingId = body.listing.id;
  }
  for (const [typed, sentence] of Object.entries(refused))
    expect((await save(typed)).body.fields, typed).toEqual({ price: sentence });
  const [tooFine = '', sentence] = Object.entries(refused)[0] ?? [];
  const offer = await testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/deals',
    headers: buyer.headers,
    payload: { client_id: randomUUID(), listing_id: listingId, price: Number(tooFine.replace(',', '.')) },
  });
  expect(offer.json().fields).toEqual({ price: sentence });
});
