import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import * as browseScreen from '#web/routes/browse.tsx';
import * as listingScreen from '#web/routes/listing.tsx';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';

const api = createTestApi();
const listings = getRecorded('listListings');
const [card] = listings.items;
const slug = card?.slug ?? '';
const title = card?.title ?? '';
const opening = page.getByRole('status', { name: `Opening ${title}` });

const link = page.getByRole('link', { name: title, exact: true });

const openList = async () => {
  await page.viewport(390, 844);
  api.answer(calls.listListings, listings);
  api.answer(calls.listSimilar, { items: [] });
  await openScreen('/browse', { '/browse': browseScreen, '/product/:slug': listingScreen });
  const held = Promise.withResolvers<void>();
  api.answer(calls.getListing, async () => {
    await held.promise;
    return { ...getRecorded('getListing'), slug, title };
  });
  await link.click();
  await expect.element(opening).toBeVisible();
  return held;
};

test('a tapped card shows title and price at once, and the page when it has loaded', async () => {
  const held = await openList();
  await expect.element(opening.getByText(title)).toBeVisible();
  await expect.element(opening.getByText(/\.\d\d/).first()).toBeVisible();
  held.resolve();
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect.element(opening).not.toBeInTheDocument();
});

test.each([
  ['Back', () => opening.getByRole('button', { name: 'Back' }).click()],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s returns to the card on the list, which is not loaded again', async (_, cancel) => {
  await openList();
  await expect.element(link).not.toBeInTheDocument();
  await cancel();
  await expect.element(opening).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Browse' })).toBeVisible();
  await expect.element(link).toHaveFocus();
  expect(api.listRequests(calls.listListings)).toHaveLength(1);
});
