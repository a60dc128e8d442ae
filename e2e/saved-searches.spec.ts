import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save this search' });

test('a search is saved from its results, shows what is new, and is edited and deleted with Undo', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();

  await test.step('a search is saved with a suggested name', async () => {
    await page.goto('/search?q=hammock&price=0-50');
    await saveButton(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toHaveValue('hammock under $50');
    await dialog.getByLabel('Name').fill('');
    await dialog.getByRole('button', { name: 'Save search' }).click();
    await expect(dialog.getByText('Please enter a name for this search')).toBeVisible();
    await dialog.getByLabel('Name').fill('Hammocks');
    await dialog.getByText('Once a day').click();
    await dialog.getByRole('button', { name: 'Save search' }).click();
    await expect(page.getByRole('button', { name: 'Saved search' })).toBeVisible();
    await waitForPageHistoryEntry(page);
    await page.goto('/search?q=hammock&price=50-100');
    await expect(saveButton(page)).toBeVisible();
  });

  await test.step('what is published or reduced later is new once', async () => {
    await postListing(quad, seller, 'Hammock for two in blue', { price: 30 });
    const dear = await postListing(quad, seller, 'Hammock of cotton, too dear', { price: 90 });
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
    await page.getByRole('form', { name: 'Filters' }).getByLabel('Price Range').selectOption('$50-$100');
    await expect(cards.filter({ hasText: 'too dear' })).toBeVisible();
    await expect(cards.filter({ hasText: 'New' })).toHaveCount(0);
    // Wait until the server has recorded this visit, because a later change of a listing is new to the next one.
    const visit = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().includes('/me/saved-searches/'),
    );
    await page.goBack();
    expect((await visit).ok()).toBe(true);
    await expect(page.getByRole('button', { name: 'Saved search' })).toBeVisible();
    await expect(page.getByText('1 new since your last visit')).toHaveCount(0);

    await postListing(quad, seller, 'Hammock of cotton, reduced', { id: dear.id, price: 40 });
    await matchListingsWithSearches(quad);
    await page.reload();
    await expect(page.getByText('1 new since your last visit')).toBeVisible();
    await expect(cards.filter({ hasText: 'Hammock of cotton, reduced' })).toContainText('New');
    await expect(cards.filter({ hasText: 'New' })).toHaveCount(1);
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
    await page.reload();
    await expect(item).toContainText('Never');
  });
  await context.close();
});

test('a visitor who saves a search logs in first and then names it', async ({ browser, quad }) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  await page.goto('/category/furniture?price=0-50');
  await saveButton(page).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Log In' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(buyer.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('cardinal-and-gold-1');
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Furniture under $50');
  await page.getByRole('dialog').getByRole('button', { name: 'Save search' }).click();
  await expect(page.getByRole('button', { name: 'Saved search' })).toBeVisible();
  await expect(page).toHaveURL(/\/category\/furniture\?price=0-50$/);
  await context.close();
});

test('tapping Save Search before hydration opens the dialog for a signed-in person', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, '**/assets/entry.client-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/category/furniture?price=0-50', { waitUntil: 'commit' });
  await saveButton(page).click();
  release();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Furniture under $50');
  await context.close();
});

test('saving a category without a filter offers no instant alerts, and the dialog says why', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();
  await page.goto('/category/furniture');
  await saveButton(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio')).toHaveCount(2);
  await expect(dialog.getByLabel('Once a day')).toBeChecked();
  await expect(
    dialog.getByText('Instant alerts need a search text, or a category with a filter'),
  ).toBeVisible();
  await context.close();
});
