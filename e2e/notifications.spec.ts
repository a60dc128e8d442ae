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
  await page.goto('/about');
  // The two browsers are new devices, of which the person is notified some time after each log-in.
  await expect(getBell(page)).toHaveAccessibleName('Notifications, 2 unread');
  await phonePage.goto('/notifications');
  await phonePage.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(phonePage.locator(':focus')).toHaveText('Everything is read');
  await expect(getBell(page)).toHaveAccessibleName('Notifications');

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
