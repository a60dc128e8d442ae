import { expect } from '@playwright/test';
import { newAddress, test } from './support/fixtures.ts';
import { openBrowserOf, postListing, signUp } from './support/students.ts';

const titles = [1, 2, 3, 4, 5].map((number) => `Walnut desk lamp no. ${number}`);

test('My Listings loads page after page, and changes survive a page that is loading', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', newAddress('sam'));
  for (const title of titles) await postListing(quad, seller, title);
  const context = await openBrowserOf(browser, quad, seller);
  const page = await context.newPage();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Pages of two instead of a hundred; the second one is held back.
  await page.route('**/rest/v1/me/listings?*', async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.has('cursor')) await released;
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.toString() }).catch(() => undefined);
  });
  await page.goto('/my-listings');
  const cards = page.getByRole('tabpanel').getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'Active' })).toContainText('5');

  await page.getByRole('button', { name: `Mark as Draft ${titles[4]}` }).click();
  await expect(page.getByText('Marked as draft')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Active' })).toContainText('4');
  release();
  await expect(cards).toHaveCount(4);
  expect(await cards.getByRole('heading').allInnerTexts()).toEqual(titles.slice(0, 4).reverse());
  await expect(page.getByRole('button', { name: /Load more|Try again/ })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Sold' }).click();
  await expect(cards.getByRole('heading')).toHaveText(titles.slice(4));
  await context.close();
});
