import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

test('what somebody looks for is posted, and a seller answers it with a listing', async ({
  browser,
  quad,
}) => {
  const buyer = await signUp(quad, 'Wanda Wants', createUniqueEmailAddress('wanda'));
  const seller = await signUp(quad, 'Hal Has', createUniqueEmailAddress('hal'));
  const buyerPage = await (await openSignedInBrowser(browser, quad, buyer)).newPage();
  await buyerPage.goto('/post-ad?wanted');
  await buyerPage.getByLabel(/^What are you looking for/).fill('Looking for a green kayak');
  await buyerPage.getByLabel(/^Category/).selectOption('furniture');
  await buyerPage.getByLabel(/^Highest price/).fill('90');
  await buyerPage.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(buyerPage).toHaveURL(/\/my-listings\?tab=wanted$/);
  await expect(buyerPage.getByRole('heading', { name: 'Looking for a green kayak' })).toBeVisible();

  await postListing(quad, seller, 'Old lamp that nobody wants', { price: 5 });
  await postListing(quad, seller, 'Kayak for one person, green', { price: 80 });
  const sellerPage = await (await openSignedInBrowser(browser, quad, seller)).newPage();
  await sellerPage.goto('/search?q=kayak');
  await sellerPage.getByRole('link', { name: 'Wanted', exact: true }).click();
  await sellerPage.getByRole('button', { name: /^I have this/ }).click();
  const dialog = sellerPage.getByRole('dialog');
  await expect(dialog.getByRole('radio').first()).toBeChecked();
  await expect(dialog.getByRole('radio', { name: /^Kayak for one person, green.*matches/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(sellerPage).toHaveURL(/\/messages\?c=/);

  await buyerPage.goto('/messages');
  await buyerPage.getByRole('main').getByText('I have this. Are you still looking for it?').first().click();
  await expect(buyerPage.getByRole('main').getByText('Kayak for one person, green').first()).toBeVisible();
});
