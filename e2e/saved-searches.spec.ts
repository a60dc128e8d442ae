import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save search' });

test('a search is saved from its results, shows what is new, and is edited and deleted with Undo', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();

  await test.step('a search is saved with one tap, and named and set in place', async () => {
    await page.goto('/search?q=hammock&price=0-50');
    await saveButton(page).click();
    const edit = page.getByRole('button', { name: 'Saved search · Edit' });
    await expect(edit).toBeVisible();
    await expect(page.getByText('You hear about new listings at once.')).toBeVisible();
    await edit.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toHaveValue('hammock under $50');
    await dialog.getByLabel('Name').fill('Hammocks');
    await dialog.getByText('Once a day').click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(edit).toBeFocused();
  });

  await test.step('what is published later is new', async () => {
    await postListing(quad, seller, 'Hammock for two in blue', { price: 30 });
    await postListing(quad, seller, 'Hammock of cotton, too dear', { price: 90 });
    await matchListingsWithSearches(quad);
    await page.goto('/saved?tab=searches');
    await expect(page.getByRole('main').getByText('1 new')).toBeVisible();
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Hammocks' });
    await expect(item).toContainText('“hammock” · $0-$50');
    await item.getByRole('link', { name: 'Hammocks' }).click();
    await expect(page).toHaveURL(/\/search\?q=hammock&price=0-50$/);
    await expect(page.getByText('1 new since your last visit')).toBeVisible();
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(cards.filter({ hasText: 'New' })).toHaveCount(1);
    await expect(cards.filter({ hasText: 'Hammock for two in blue' })).toContainText('New');
  });

  await test.step('it is edited, deleted, and saved again with Undo', async () => {
    await page.getByRole('button', { name: 'Saved search' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Hammocks under $50');
    await page.getByRole('dialog').getByText('Never').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await page.goto('/saved?tab=searches');
    const item = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Hammocks under $50' });
    await expect(item).toContainText('Never');
    await item.getByRole('button', { name: /^Delete/ }).click();
    await expect(page.getByText('No saved searches yet')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(item).toContainText('Never');
  });
  await context.close();
});

test('a visitor who saves a search logs in first, and then it is saved', async ({ browser, quad }) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  await page.goto('/category/furniture?price=0-50');
  await saveButton(page).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Log In' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(buyer.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('cardinal-and-gold-1');
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Saved search' })).toBeVisible();
  await expect(page).toHaveURL(/\/category\/furniture\?price=0-50$/);

  // A link from elsewhere saves nothing.
  const loaded = page.waitForResponse(/saved-searches/);
  await page.goto('/category/furniture?price=50-100&save=1');
  await loaded;
  await expect(saveButton(page)).toBeVisible();
  await page.goto('/saved?tab=searches');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('Furniture under $50')).toBeVisible();
  await context.close();
});
