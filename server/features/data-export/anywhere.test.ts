import { expect, onTestFinished, test } from 'vitest';
import { findForeignForms } from '#contract/testing.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { startTestApp } from '#server/testing/app.ts';

/** Returns all texts of an export; its numbers are for programs, in the currency that it names. */
const listTexts = (data: unknown): string[] => {
  if (typeof data === 'string') return [data];
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(listTexts) : [];
};

test.each([
  ['de-DE', 'EUR', 'Europe/Berlin', 1234.5, '1.234,50 €'],
  ['ja-JP', 'JPY', 'Asia/Tokyo', 123_400, '¥123,400'],
] as const)(
  'promise 113: the data export of a campus in %s names its currency %s and contains no text of another form',
  async (locale, currency, timezone, amount, price) => {
    const testApp = await startTestApp({
      environment: {
        QUAD_CAMPUS_LOCALE: locale,
        QUAD_CAMPUS_CURRENCY: currency,
        QUAD_CAMPUS_TIMEZONE: timezone,
      },
    });
    onTestFinished(() => testApp.close());
    const deals = createDealClient(testApp);
    const { buyer, held } = await deals.holdListing({ price: amount }, { price: amount });
    const proposal = { place: 'Library', times: [addSeconds(testApp.clock.now(), 90_000).toISOString()] };
    const proposed = await deals.take(buyer, held, 'propose_handover', proposal);
    expect([proposed.status, proposed.body]).toEqual([200, proposed.body]);
    const data = (await createAccountClient(testApp).download(buyer)).json();
    expect(data).toMatchObject({ currency, timezone });
    const texts = listTexts(data)
      .join('\n')
      .replace(/[\u00a0\u202f]/g, ' ');
    expect(texts).toContain(price);
    expect(findForeignForms(locale, texts)).toEqual([]);
  },
);
