import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

test('what somebody looks for is posted, and a seller tells them and answers with a listing', async ({
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

  const sellerPage = await (await openSignedInBrowser(browser, quad, seller)).newPage();
  await postListing(quad, seller, 'Old lamp that nobody wants', { price: 5 });

  await test.step('who posts what they look for learns so, and tells them once', async () => {
    const getField = (name: string) => sellerPage.getByRole('textbox', { name, exact: true });
    await sellerPage.goto('/post-ad');
    await getField('Title').fill('Kayak for one person, green');
    await sellerPage.getByLabel('Category').selectOption('furniture');
    await sellerPage.getByRole('radio', { name: 'Good', exact: true }).check();
    await getField('Price').fill('80');
    await getField('Description').fill('Paddled on the lake for two summers, with a new seat.');
    await getField('Location').fill('Parkside');
    await expect(sellerPage.getByText('1 person is looking for this')).toBeVisible();
    await sellerPage.getByRole('button', { name: 'Use my email' }).click();
    await sellerPage.getByRole('button', { name: 'Post Ad', exact: true }).first().click();
    await expect(sellerPage).toHaveURL(/\/listing\//);
    await sellerPage.getByRole('button', { name: 'Tell them' }).click();
    await expect(sellerPage.getByText('We told them')).toBeVisible();
    await buyerPage.goto('/notifications');
    const told = buyerPage
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Somebody has what you’re looking for' });
    await expect(told).toHaveCount(1);
    await expect(told).toContainText('“Kayak for one person, green”');
    await told.getByRole('link').click();
    await expect(buyerPage.getByRole('heading', { level: 1 })).toHaveText('Kayak for one person, green');
  });

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
