import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

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
  for (const title of titles) await postListing(quad, seller, title);
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();

  await page.goto('/category/furniture');
  for (const title of titles) {
    await getHeart(page, title).click();
    await expectSaved(page, title);
  }
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
  await otherPage.goto('/category/furniture');
  await expectSaved(otherPage, titles[1]);
  await expectSaved(otherPage, titles[0], false);
  await other.close();

  // The tab also remembers the visited screens, for Back.
  const readVisitedScreens = () => page.evaluate(() => sessionStorage.getItem('quad.entries'));
  expect(await readVisitedScreens()).toContain('/saved');
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect.poll(readVisitedScreens).toBeNull();
  await page.goto('/category/furniture');
  await expectSaved(page, titles[1], false);
  expect(await page.evaluate(() => localStorage.getItem('quad.saved-listings'))).toBeNull();
  await context.close();
});
