import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import { callApi, openSignedInBrowser, postListing, signUp } from './support/students.ts';

const getBell = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('link', { name: /^Notifications/ })
    .filter({ visible: true });

test('a new match of a saved search appears at once in every tab, and opening it marks it as read everywhere', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  await callApi(quad, '/rest/v1/me/saved-searches', {
    token: buyer.token,
    body: { name: 'Accordions', query: { q: 'accordion' }, alert: 'instant' },
  });
  const desk = await openSignedInBrowser(browser, quad, buyer);
  const phone = await openSignedInBrowser(browser, quad, buyer, { viewport: { width: 360, height: 740 } });
  const [page, phonePage] = [await desk.newPage(), await phone.newPage()];
  // Mark as read the notifications about the log-ins on these two new devices.
  await callApi(quad, '/rest/v1/notifications/read', { token: buyer.token, body: {} });
  await page.goto('/');
  await expect(getBell(page)).toHaveAccessibleName('Notifications');
  await phonePage.goto('/notifications');
  await expect(phonePage.getByRole('main').getByText('Everything is read')).toBeVisible();

  await postListing(quad, seller, 'Accordion with 48 basses');
  await matchListingsWithSearches(quad);
  await expect(getBell(page)).toHaveAccessibleName('Notifications, 1 unread');
  await expect(getBell(phonePage)).toHaveAccessibleName('Notifications, 1 unread');
  const entry = phonePage
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: '1 new match for “Accordions”' });
  await expect(entry).toContainText('“Accordion with 48 basses”');

  await getBell(page).click();
  await expect(page.getByRole('main').getByText('1 unread')).toBeVisible();
  await entry.getByRole('link').click();
  await expect(phonePage).toHaveURL(/\/search\?q=accordion$/);
  await expect(page.getByRole('main').getByText('Everything is read')).toBeVisible();
  await expect(getBell(page)).toHaveAccessibleName('Notifications');
  await desk.close();
  await phone.close();
});

test('all notifications are marked as read together, and settings choose the channels for each kind', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  for (const word of ['accordion', 'beanbag']) {
    await callApi(quad, '/rest/v1/me/saved-searches', {
      token: buyer.token,
      body: { name: word, query: { q: word }, alert: 'instant' },
    });
    await postListing(quad, seller, `Barely used: ${word}`);
  }
  await matchListingsWithSearches(quad);
  const context = await openSignedInBrowser(browser, quad, buyer);
  const page = await context.newPage();
  await page.goto('/notifications');
  const match = page.getByRole('main').getByRole('link', { name: /1 new match for “accordion”/ });
  const newDevice = page.getByRole('main').getByRole('link', { name: /Log-in on a new device/ });
  await expect(match).toContainText('Unread');
  // Signing up and opening the browser are log-ins on two devices.
  await expect(newDevice).toContainText(['Unread', 'Unread']);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByText('Everything is read')).toBeVisible();
  await expect(page.locator(':focus')).toHaveText('Everything is read');
  await page.reload();
  await expect(page.getByText('Everything is read')).toBeVisible();

  await page.goto('/profile?tab=settings');
  const table = page.getByRole('table', { name: 'What you are notified about, and how' });
  const inApp = table.getByLabel('Saved searches: In the app');
  await expect(inApp).toBeChecked();
  await inApp.uncheck();
  await page.getByLabel('Daily email about saved searches').selectOption('7:00 PM');
  await page.getByLabel('Brief emails').check();
  await page.getByLabel('From').selectOption('11:00 PM');
  await page.getByLabel('Until').selectOption('6:00 AM');
  await expect(page.getByText('Settings saved').first()).toBeVisible();
  const settingsPath = '/rest/v1/me/notification-settings';
  await expect
    .poll(() => callApi(quad, settingsPath, { token: buyer.token }))
    .toMatchObject({ quiet_hours: { from: 23, until: 6 }, digest_hour: 19, digest_content: 'brief' });
  await page.reload();
  await expect(inApp).not.toBeChecked();
  await expect(table.getByLabel('Saved searches: Email')).toBeChecked();
  await expect(page.getByLabel('Daily email about saved searches')).toHaveValue('19');
  await expect(page.getByLabel('Brief emails')).toBeChecked();
  await expect(page.getByLabel('From')).toHaveValue('23');
  await expect(page.getByLabel('Until')).toHaveValue('6');
  const byEmail = table.getByLabel('Reviews: Email');
  await context.setOffline(true);
  await byEmail.click();
  await expect(page.getByText('Failed to save settings')).toBeVisible();
  await expect(byEmail).toBeChecked();
  await context.setOffline(false);
  await page.goto('/notifications');
  await expect(newDevice.filter({ visible: true })).toHaveCount(2);
  await expect(match).toHaveCount(0);
  await context.close();
});
