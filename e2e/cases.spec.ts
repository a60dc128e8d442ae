import { expect, type Locator, type Page } from '@playwright/test';
import { grantRole } from './support/console.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForHydration } from './support/hydration.ts';
import { focusAndPress, focusByTab, typeIntoField } from './support/keys.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import { openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

const getButton = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true });

/** Takes an action on the page of a moderation case, using only the keyboard. */
const decide = async (page: Page, action: string, reason: string) => {
  await focusAndPress(getButton(page.getByRole('region', { name: 'Actions' }), action));
  const dialog = page.getByRole('dialog');
  await typeIntoField(dialog.getByLabel('Reason'), reason);
  await focusAndPress(getButton(dialog, action));
  await expect(dialog).toBeHidden();
};

/** Moves the focus to a moderation case in the list, using the console's keyboard shortcuts. */
const focusCase = async (page: Page, row: Locator) => {
  const help = page.getByRole('button', { name: 'Shortcuts' });
  await focusByTab(help);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await waitForPageHistoryEntry(page);
  await expect(help).toBeFocused();
  // Cases of earlier tests can come first in the list.
  await expect
    .poll(async () => {
      await page.keyboard.press('j');
      return row.evaluate((element) => element === document.activeElement);
    })
    .toBe(true);
};

test('by keyboard only: report, case, take down, notification, appeal, restore', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const reporter = await signUp(quad, 'Rita Reporter', createUniqueEmailAddress('rita'));
  const moderator = await signUp(quad, 'Mona Monroe', createUniqueEmailAddress('mona'));
  const colleague = await signUp(quad, 'Carl Carver', createUniqueEmailAddress('carl'));
  const listing = await postListing(quad, seller, 'A suspicious bicycle');
  const openFor = async (person: Student) =>
    (await openSignedInBrowser(browser, quad, person, { reducedMotion: 'reduce' })).newPage();

  const reporterPage = await openFor(reporter);
  await test.step('somebody reports the listing', async () => {
    await reporterPage.goto(`/listing/${listing.slug}`);
    await waitForHydration(reporterPage);
    await focusAndPress(getButton(reporterPage, 'Report Listing'));
    const dialog = reporterPage.getByRole('dialog');
    const reason = dialog.getByRole('radio', { name: 'Scam' });
    await focusByTab(dialog.getByRole('radio').first());
    await reporterPage.keyboard.press('ArrowDown');
    await expect(reason).toBeChecked();
    await typeIntoField(dialog.getByLabel('Details (optional)'), 'Stolen last week');
    await focusAndPress(getButton(dialog, 'Submit Report'));
    await expect(reporterPage.getByText('Report Submitted')).toBeVisible();
  });

  const [desk, sellerPage, colleaguePage] = [
    await openFor(moderator),
    await openFor(seller),
    await openFor(colleague),
  ];
  await grantRole(quad, moderator, 'moderator');
  await grantRole(quad, colleague, 'moderator');

  await test.step('a moderator takes the listing down, after withdrawing it once', async () => {
    await desk.goto('/moderation/cases');
    const row = desk.getByRole('link', { name: /A suspicious bicycle/ });
    await expect(row).toBeVisible();
    await focusCase(desk, row);
    await desk.keyboard.press('a');
    await expect(row).toContainText('Assigned to Mona Monroe');
    await expect(row).toBeFocused();
    await desk.keyboard.press('Enter');
    await expect(desk.getByText('Stolen last week')).toBeVisible();
    await decide(desk, 'Take down', 'It is not yours');
    await focusAndPress(getButton(desk.getByRole('main'), 'Undo'));
    await expect(desk.getByText('Undone')).toBeVisible();
    await decide(desk, 'Take down', 'It was reported as stolen');
  });

  await test.step('the seller is told and appeals', async () => {
    await sellerPage.goto('/notifications');
    const notice = sellerPage.getByRole('link', { name: /was taken down/ });
    await expect(notice).toBeVisible({ timeout: 30_000 });
    await expect(sellerPage.getByText('Reason: It was reported as stolen')).toBeVisible();
    await focusAndPress(notice);
    await expect(sellerPage).toHaveURL(/\/decisions$/);
    await focusAndPress(getButton(sellerPage, 'Appeal'));
    await expect(sellerPage.getByLabel('Your appeal')).toBeFocused();
    await sellerPage.keyboard.type('I have the receipt');
    await focusAndPress(getButton(sellerPage, 'Send Appeal'));
    await expect(sellerPage.getByText('You appealed.')).toBeVisible();
    await expect(sellerPage.locator(':focus')).toContainText('You appealed.');
  });

  await test.step('another moderator grants the appeal, and both people are told', async () => {
    await colleaguePage.goto('/moderation/cases?state=appeals');
    const row = colleaguePage.getByRole('link', { name: /A suspicious bicycle/ });
    await expect(row).toBeVisible();
    await focusCase(colleaguePage, row);
    await colleaguePage.keyboard.press('Enter');
    await expect(colleaguePage.getByText('I have the receipt')).toBeVisible();
    await decide(colleaguePage, 'Grant the appeal', 'The receipt is convincing');
    await expect(colleaguePage.getByText('Resolved', { exact: true })).toBeVisible({ timeout: 30_000 });
    await sellerPage.reload();
    await expect(sellerPage.getByText('Your appeal was successful.')).toBeVisible();
    await sellerPage.goto(`/listing/${listing.slug}`);
    await expect(sellerPage.getByRole('heading', { name: 'A suspicious bicycle' })).toBeVisible();
  });
});
