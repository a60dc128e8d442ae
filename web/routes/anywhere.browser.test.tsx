import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { findForeignForms, foreignCampuses } from '#contract/testing.ts';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import * as categoryScreen from './category.tsx';
import { createListingMeta } from './listing/listing-meta.ts';
import * as listingScreen from './listing.tsx';

const api = createTestApi();
const listing = {
  ...getRecorded('getListing'),
  description: 'A description without any number in it at all.',
};
const [card] = getRecorded('listListings').items;
if (!card) throw new Error('No listing is recorded');

beforeEach(() => page.viewport(1280, 900));

test.each([
  ['de-DE', 1234.5, '1.234,50 €', '0-50 €', '12,50', '17,50 €'],
  ['ja-JP', 123_400, '¥123,400', '¥0-¥5,000', '2500', '¥1,750'],
] as const)(
  'promise 113: screens and structured data of a campus in %s contain no other form',
  async (locale, price, written, band, typed, similar) => {
    const campus = foreignCampuses[locale];
    const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ');
    const similarPrice = locale === 'de-DE' ? 17.5 : 1750;
    api.answer(calls.listListings, {
      items: [{ ...card, title: 'Desk', price }],
      total: 12_345,
      next_cursor: null,
    });
    api.answer(calls.getListing, { ...listing, title: 'Desk', price });
    api.answer(calls.listSimilar, { items: [{ ...card, title: 'Lamp', price: similarPrice }] });

    await openScreen('/category/furniture', { '/category/:category': categoryScreen }, campus);
    await expect.element(page.getByText('Desk')).toBeVisible();
    const main = () => plain([...document.querySelectorAll('main')].at(-1)?.innerText);
    expect(main()).toContain(written);
    await expect.poll(main).toContain(band);
    expect(findForeignForms(locale, main())).toEqual([]);
    const minimum = page.getByRole('form', { name: 'Filters' }).getByLabelText('Min price');
    const box = minimum.element().getBoundingClientRect();
    const sign = minimum.element().previousElementSibling?.getBoundingClientRect();
    expect((sign?.left ?? 0) > box.left + box.width / 2).toBe(locale === 'de-DE');
    await minimum.fill(typed);
    await minimum.element().dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    await expect
      .poll(() => api.listRequests(calls.listListings).at(-1)?.query.min_price)
      .toBe(locale === 'de-DE' ? '12.5' : '2500');

    await openScreen(`/listing/${listing.slug}`, { '/listing/:slug': listingScreen }, campus);
    await expect.element(page.getByRole('heading', { level: 1 }).last()).toHaveTextContent('Desk');
    await expect.poll(main).toContain(similar);
    expect(findForeignForms(locale, main())).toEqual([]);

    const site = { campus, publicUrl: 'https://quad.test', announcement: null };
    const meta = JSON.stringify(createListingMeta(site, { ...listing, title: 'Desk', price }, undefined));
    expect(meta).toContain(`"priceCurrency":"${campus.currency}"`);
    expect(meta).toContain(locale === 'de-DE' ? '"1234.50"' : '"123400"');
    expect(plain(meta)).toContain(written);
    expect(meta).not.toContain('USD');
  },
);
