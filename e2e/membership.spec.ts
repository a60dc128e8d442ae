import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { endMembership } from './support/memberships.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

test('promise 110: one tap in an email, without a session, returns a membership that has ended', async ({
  browser,
  quad,
}) => {
  const email = createUniqueEmailAddress('sue');
  const seller = await signUp(quad, 'Sue Seller', email);
  const { slug } = await postListing(quad, seller, 'Brass floor lamp');
  const link = await endMembership(quad, email);
  const phone = await openSignedInBrowser(browser, quad, seller, { viewport: { width: 360, height: 740 } });
  const page = await phone.newPage();
  await page.goto('/my-listings');
  await expect(page.getByText('Your campus membership has ended.')).toBeVisible();
  await page.getByRole('link', { name: 'Confirm now' }).click();
  await expect(page.getByRole('region', { name: 'Membership' })).toBeVisible();

  const visitor = await browser.newPage({ viewport: { width: 360, height: 740 } });
  expect((await visitor.goto(`${quad.url}/listing/${slug}`))?.status()).toBe(404);
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: 'Are you still at USC?' })).toBeVisible();
  await visitor.getByRole('button', { name: 'Yes, I’m still at USC' }).click();
  await expect(visitor.getByRole('heading', { name: 'Your membership is confirmed' })).toBeVisible();
  expect((await visitor.goto(`${quad.url}/listing/${slug}`))?.status()).toBe(200);
  await visitor.close();

  await page.goto('/my-listings');
  await expect(page.getByRole('link', { name: 'Brass floor lamp' })).toBeVisible();
  await expect(page.getByText('Your campus membership has ended.')).toBeHidden();
  await phone.close();
});
