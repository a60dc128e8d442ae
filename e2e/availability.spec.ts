import { expect } from '@playwright/test';
import { askAboutListings, buildSoldUrl } from './support/availability.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

test('a seller who is asked whether listings are still available answers with one tap', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sue Seller', createUniqueEmailAddress('sue'));
  await postListing(quad, seller, 'Brass floor lamp');
  await postListing(quad, seller, 'Round kitchen table');
  const mirror = await postListing(quad, seller, 'Tall mirror');
  await askAboutListings(quad);
  const phone = await openSignedInBrowser(browser, quad, seller, { viewport: { width: 360, height: 740 } });
  const page = await phone.newPage();

  await page.goto('/notifications');
  const question = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: 'Still for sale?' })
    .first();
  await expect(question).toContainText('Brass floor lamp');
  await page.getByRole('button', { name: 'Yes Brass floor lamp' }).click();
  await expect(page.getByText('Confirmed as available')).toBeVisible();
  await expect(question.getByText('Answered')).toBeVisible();

  await page.goto('/my-listings');
  await expect(page.getByText('Still for sale?')).toHaveCount(2);
  await page.getByRole('button', { name: 'Hide Round kitchen table' }).click();
  await expect(page.getByText('Marked as draft')).toBeVisible();
  await page.getByRole('link', { name: 'Brass floor lamp' }).click();
  await expect(page.getByText('Confirmed available today')).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(await buildSoldUrl(quad, mirror.id));
  await visitor.getByRole('button', { name: 'Mark as sold' }).click();
  await expect(visitor.getByText('It is marked as sold')).toBeVisible();
  await visitor.close();
  await page.goto('/my-listings?tab=sold');
  await expect(page.getByRole('link', { name: 'Tall mirror' })).toBeVisible();
  await phone.close();
});
