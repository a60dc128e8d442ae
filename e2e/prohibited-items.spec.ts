import { expect, type Page } from '@playwright/test';
import { listViolations } from './support/axe.ts';
import { updateTestDatabase } from './support/database.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { runAdminCommand, startQuad } from './support/quad-server.ts';
import { openSignedInBrowser, signUp } from './support/students.ts';

const title = 'A bottle of vodka from my party';
const description = 'It stood on my shelf since the party, nobody opened it. Pick it up any evening.';
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

const fillForm = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Title' }).fill(title);
  await page.getByLabel('Category').selectOption('kitchen');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('15');
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByRole('textbox', { name: 'Location' }).fill('Parkside');
};

test('a listing that offers a prohibited item is refused if there is no moderator, and otherwise held for review', async ({
  browser,
}) => {
  // This test starts its own server. On the shared server, moderators of other tests could review the
  // listing.
  const quad = await startQuad();
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const context = await openSignedInBrowser(browser, quad, seller, phone);
  const page = await context.newPage();
  const hint = page.getByRole('status').filter({ hasText: 'From the guidelines' });

  await test.step('the guideline is shown while typing, and gone when the wording is', async () => {
    await page.goto('/post-ad');
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await expect(hint).toContainText(
      'Alcohol, tobacco, vapes and controlled substances can’t be offered here.',
    );
    expect(await listViolations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Title' }).fill('A bottle opener from my party');
    await expect(hint).toHaveCount(0);
    await page.getByLabel('Category').selectOption('game-day');
    await page.getByRole('textbox', { name: 'Title' }).fill('Two tickets for the home opener');
    await expect(hint).toContainText('Asking more than the face value may violate the policies');
  });

  await test.step('without a moderator, the form refuses it with the reason', async () => {
    await fillForm(page);
    await page.getByRole('button', { name: 'Post Ad' }).click();
    await expect(page.getByText('can’t be offered here. Please change the wording')).toBeVisible();
    await expect(page.getByText('Validation failed')).toBeVisible();
    await expect(page).toHaveURL(/\/post-ad/);
  });

  const moderator = await signUp(quad, 'Mona Monroe', createUniqueEmailAddress('mona'));
  await runAdminCommand(quad, 'user', 'role', moderator.email, 'moderator', '--reason', 'First moderator');
  // The server holds listings for review only when a moderator can use the console, which requires a second
  // factor.
  await updateTestDatabase(
    quad,
    (sql) => sql`
      INSERT INTO private.second_factors (user_id, kind, sealed_secret, created_at, verified_at, updated_at)
      VALUES (${moderator.id}, 'totp', 'sealed', now(), now(), now())`,
  );

  await test.step('with one, it is checked, and stands under Drafts with a badge', async () => {
    await page.getByRole('button', { name: 'Post Ad' }).click();
    await expect(page.getByText("We're checking your listing", { exact: true })).toBeVisible();
    await expect(page.getByText('Only you can see it until we’re done.', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/my-listings\?tab=drafts$/);
    const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: title });
    await expect(row).toContainText('In review');
    await expect(row).toContainText('We’re checking it. Only you can see it.');
    await expect(page.getByRole('tab', { name: 'Drafts' })).toContainText('1');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await listViolations(page)).toEqual([]);
    const stranger = await browser.newPage({ baseURL: quad.url });
    await stranger.goto('/search?q=vodka');
    await expect(stranger.getByText('No results found')).toBeVisible();
    await stranger.close();
  });

  await test.step('a moderator asks for a change, and approves it the second time', async () => {
    const id = await page.evaluate(async () => {
      const { access_token: token } = JSON.parse(localStorage.getItem('quad.session') ?? '{}');
      const response = await fetch('/rest/v1/me/listings', { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()).items[0].id as string;
    });
    const reason = 'Is it still sealed? Please say so.';
    await runAdminCommand(quad, 'listing', 'request-changes', id, '--reason', reason);
    await page.reload();
    const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: title });
    await expect(row).toContainText('A moderator asked you to change it: Is it still sealed? Please say so.');
    await row.getByRole('button', { name: /^Publish/ }).click();
    await expect(page.getByText("We're checking your listing", { exact: true })).toBeVisible();
    await expect(row).toContainText('In review');
    await runAdminCommand(quad, 'listing', 'approve', id, '--reason', 'The bottle is a lamp');
    await page.reload();
    await expect(page.getByRole('tab', { name: 'Active' })).toContainText('1');
    const stranger = await browser.newPage({ baseURL: quad.url });
    await stranger.goto('/search?q=vodka');
    await expect(stranger.getByRole('link', { name: new RegExp(title) }).first()).toBeVisible();
    await stranger.close();
  });
  await context.close();
  await quad.stop();
});
