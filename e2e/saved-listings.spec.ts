import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { callApi, openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

const getHeart = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('button', { name: `Favorite: ${title}` })
    .first();
const expectSaved = (page: Page, title: string, isSaved = true) =>
  expect(getHeart(page, title)).toHaveAttribute('aria-pressed', String(isSaved));

test('promise 80: hearts set before the log-in are merged once, and forgotten at log-out', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const titles = ['Bookshelf of birch with five boards', 'Reading lamp with a long arm'] as const;
  const [shelf] = [await postListing(quad, seller, titles[0]), await postListing(quad, seller, titles[1])];
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();

  await page.goto('/category/furniture');
  for (const title of titles) await getHeart(page, title).click();
  await page.reload();
  for (const title of titles) await expectSaved(page, title);

  await page.goto('/saved');
  await page.getByRole('textbox', { name: 'Email' }).fill(buyer.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('cardinal-and-gold-1');
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Saved', level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText([...titles].reverse());
  await getHeart(page, titles[0]).click();
  await expectSaved(page, titles[0], false);
  await page.reload();
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText([titles[1]]);

  // Sign in on a second device.
  const other = await openSignedInBrowser(browser, quad, buyer);
  const otherPage = await other.newPage();
  await otherPage.goto(`/listing/${shelf.slug}`);
  await expectSaved(otherPage, titles[0], false);
  await otherPage.goto('/category/furniture');
  await expectSaved(otherPage, titles[1]);
  await other.close();

  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await page.goto('/category/furniture');
  await expectSaved(page, titles[1], false);
  expect(await page.evaluate(() => localStorage.getItem('quad.saved-listings'))).toBeNull();
  await context.close();
});

test('the list of saved listings says what changed since saving, and can clear unavailable ones', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const titles = ['Writing desk of walnut', 'Standing desk with a motor', 'Corner desk for two'] as const;
  const [cheaper, sold, draft] = [
    await postListing(quad, seller, titles[0], { price: 120 }),
    await postListing(quad, seller, titles[1]),
    await postListing(quad, seller, titles[2]),
  ];
  for (const { id } of [cheaper, sold, draft]) {
    await callApi(quad, `/rest/v1/me/saved-listings/${id}`, { token: buyer.token, method: 'PUT' });
  }
  await postListing(quad, seller, titles[0], { id: cheaper.id, price: 95 });
  await callApi(quad, `/rest/v1/me/listings/${sold.id}/sold`, { token: seller.token, body: {} });
  await callApi(quad, `/rest/v1/me/listings/${draft.id}`, {
    token: seller.token,
    method: 'PATCH',
    body: { status: 'draft' },
  });

  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();
  await page.goto('/saved');
  const card = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });
  await expect(card(titles[0])).toContainText('$95');
  await expect(card(titles[0])).toContainText('was $120');
  await expect(card(titles[1])).toContainText('Sold');
  await expect(card(titles[2])).toContainText('No longer available');
  await page.getByRole('button', { name: 'Clear 2 unavailable listings' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Clear/ })).toHaveCount(0);

  // The owner must see how many people saved the listing, but not their names.
  const owner = await openSignedInBrowser(browser, quad, seller);
  const ownerPage = await owner.newPage();
  await ownerPage.goto(`/listing/${cheaper.slug}`);
  await expect(ownerPage.getByText('Saved by 1 person')).toBeVisible();
  await expect(getHeart(ownerPage, titles[0])).toHaveCount(0);
  await ownerPage.goto('/my-listings');
  await expect(ownerPage.getByText('Saved by 1 person')).toBeVisible();
  await owner.close();
  await context.close();
});

test('a heart returns to its earlier state and shows an error when saving fails', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const title = 'Armchair with a high back';
  await postListing(quad, seller, title);
  const context = await openSignedInBrowser(
    browser,
    quad,
    await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben')),
  );
  const page = await context.newPage();
  let isRefused = true;
  await intercept(page, '**/rest/v1/me/saved-listings/*', (route) =>
    isRefused && route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await page.goto('/category/furniture');
  await getHeart(page, title).click();
  await expect(page.getByText('Failed to save listing')).toBeVisible();
  await expectSaved(page, title, false);
  isRefused = false;
  await getHeart(page, title).press('Space');
  await expectSaved(page, title);
  await page.goto('/saved');
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText([title]);
  await context.close();
});

test('taps on hearts take effect in order, even if the script loads late', async ({ browser, quad }) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const titles = ['Desk fan with three speeds', 'Laundry basket of willow'];
  const ids: string[] = [];
  for (const title of titles) ids.push((await postListing(quad, seller, title)).id);
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  // Pretend to be offline while the page loads, so that it does not preload the script for saving listings.
  // The first tap then has to load the script.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'onLine', { value: false, writable: true }),
  );
  const scripts = Promise.withResolvers<void>();
  await intercept(page, /assets\/(visitor-saves|limit-messages)/, async (route) => {
    await scripts.promise;
    await route.fallback();
  });
  await page.goto('/category/furniture');
  await page.evaluate(() => Object.assign(navigator, { onLine: true }));
  for (const title of titles) {
    await getHeart(page, title).click();
    await expectSaved(page, title);
  }
  scripts.resolve();
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('quad.saved-listings') ?? '[]')))
    .toEqual(ids.toReversed());
  await context.close();
});
