import { expect } from '@playwright/test';
import { newAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp, uploadPhoto } from './support/students.ts';

const titles = [1, 2, 3, 4, 5].map((number) => `Walnut desk lamp no. ${number}`);

test('My Listings loads page after page, and changes survive a page that is loading', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', newAddress('sam'));
  for (const title of titles) await postListing(quad, seller, title);
  const context = await openSignedInBrowser(browser, quad, seller);
  const page = await context.newPage();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Limits each page of results to two listings instead of a hundred, and holds back the request for the second page.
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

test('a phone shows five listings at once, with one action each and a menu with the rest', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', newAddress('sam'));
  const photos = [await uploadPhoto(quad, seller)];
  for (const title of titles) await postListing(quad, seller, title, { photos });
  await postListing(quad, seller, 'Walnut writing desk with two drawers');
  const context = await openSignedInBrowser(browser, quad, seller, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto('/my-listings');
  const rows = page.getByRole('tabpanel').getByRole('listitem');
  const row = (title: string | undefined) => rows.filter({ hasText: title ?? '' });
  const menuOf = (title: string | undefined) =>
    page.getByRole('button', { name: `More actions for ${title}` });
  await expect(rows).toHaveCount(6);

  await test.step('each shows photo, title, price and state', async () => {
    for (const index of [0, 1, 2, 3, 4]) await expect(rows.nth(index)).toBeInViewport({ ratio: 1 });
    await expect(row(titles[4])).toContainText('$40');
    await expect(row(titles[4])).toContainText('Active');
    await expect(row(titles[4]).locator('img[src*="/listing-photos/"]')).toBeVisible();
    await expect(rows.getByRole('button', { name: /Delete|Mark as Draft/ })).toHaveCount(0);
    await expect(rows.getByRole('link', { name: `Edit ${titles[4]}` })).toBeVisible();
    for (const target of await rows
      .getByRole('button')
      .or(rows.getByRole('link', { name: /^Edit/ }))
      .all()) {
      const box = await target.boundingBox();
      // The browser computes positions in single precision, so 44 px may read as 43.99997.
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(43.99);
    }
  });

  await test.step('a draft can be published, and its tab is in the address', async () => {
    await menuOf(titles[4]).tap();
    await page.getByRole('menuitem', { name: 'Mark as Draft' }).tap();
    await expect(row(titles[4])).toHaveCount(0);
    await expect(page.getByRole('tab', { name: 'Active' })).toBeFocused();
    await page.getByRole('tab', { name: 'Sold' }).tap();
    await expect(page).toHaveURL('/my-listings?tab=sold');
    await expect(row(titles[4])).toContainText('Draft');
    await menuOf(titles[4]).tap();
    await page.getByRole('menuitem', { name: 'Edit' }).tap();
    await expect(page).toHaveURL(/\/post-ad\?edit=/);
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Sold' })).toHaveAttribute('aria-selected', 'true');
    await page.reload();
    await page.getByRole('button', { name: `Publish Item ${titles[4]}` }).tap();
    await expect(page.getByText('No draft listings')).toBeVisible();
    await page.getByRole('tab', { name: 'Active' }).tap();
    await expect(page).toHaveURL('/my-listings');
    await expect(rows).toHaveCount(6);
  });

  await test.step('deleting asks first, and the focus returns to the menu', async () => {
    const question = page.getByRole('dialog', { name: 'Delete this listing?' });
    await menuOf(titles[0]).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await question.getByRole('button', { name: 'Cancel' }).tap();
    await expect(menuOf(titles[0])).toBeFocused();
    await menuOf(titles[0]).tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await question.getByRole('button', { name: 'Delete' }).tap();
    await expect(rows).toHaveCount(5);
  });
  await context.close();
});
