import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
} from './support/students.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

test('a listing is marked as sold to a buyer, who confirms the sale; another is rented out', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const buyer = await signUp(quad, 'Bea Buyer', createUniqueEmailAddress('bea'));
  const [lamp, bicycle] = ['Brass lamp with a green shade', 'Bicycle with new tires'];
  const listing = await postListing(quad, seller, lamp);
  await postListing(quad, seller, bicycle, { category: 'rentals' });
  await postConversationMessage(
    quad,
    buyer,
    await openConversation(quad, buyer, listing),
    'Is the lamp still there?',
  );
  const [sellerContext, buyerContext] = [
    await openSignedInBrowser(browser, quad, seller, phone),
    await openSignedInBrowser(browser, quad, buyer, phone),
  ];
  const page = await sellerContext.newPage();
  const thread = await buyerContext.newPage();
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
  const rows = page.getByRole('tabpanel').getByRole('listitem');
  const chooseAction = async (title: string, action: string): Promise<void> => {
    await page.getByRole('button', { name: `More actions for ${title}` }).tap();
    await page.getByRole('menuitem', { name: action }).tap();
  };

  await test.step('sold to a person, who is asked in the open conversation at once', async () => {
    await page.goto('/my-listings');
    await thread.goto('/messages');
    await thread.getByRole('link', { name: /Sam Seller/ }).tap();
    await expect(thread.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await expect(thread.getByText('Did you buy this?')).toHaveCount(0);
    await chooseAction(lamp, 'Sold to…');
    await page.getByRole('dialog').getByRole('button', { name: 'Bea Buyer' }).tap();
    await expect(page.getByText('Bea Buyer is asked to confirm it.')).toBeVisible();
    await tab('Sold').tap();
    await expect(page).toHaveURL('/my-listings?tab=sold');
    await expect(rows).toContainText('To Bea Buyer, not confirmed yet');
    await expect(rows.getByRole('button', { name: `Relist ${lamp}` })).toBeVisible();
  });

  await test.step('the buyer confirms it, and it is final', async () => {
    const header = thread.getByRole('region', { name: 'Conversation', exact: true });
    await expect(header.getByText('Sold', { exact: true })).toBeVisible();
    await expect(thread.getByText('Did you buy this?')).toBeVisible();
    await thread.getByRole('button', { name: 'Yes' }).tap();
    await expect(thread.getByText('Confirmed', { exact: true })).toBeVisible();
    await expect(thread.getByText('Did you buy this?')).toHaveCount(0);
    const deal = thread.getByRole('region', { name: 'Deal', exact: true });
    await expect(deal).toContainText('Done. You bought it.');
    await expect(deal.getByRole('button', { name: '5 stars' })).toBeVisible();
    await expect(thread.locator(':focus')).toContainText('Done. You bought it.');
    await header.getByRole('link', { name: lamp }).tap();
    await expect(thread.getByText('This item is no longer available.')).toBeVisible();
    await expect(thread.getByRole('button', { name: 'Message Seller' })).toHaveCount(0);
    await page.reload();
    await expect(rows).toContainText('To Bea Buyer');
    await expect(rows.getByRole('button', { name: `Relist ${lamp}` })).toHaveCount(0);
  });

  await test.step('a rental is rented until a day', async () => {
    await tab('Active').tap();
    await page.getByRole('button', { name: `Mark as Rented ${bicycle}` }).tap();
    const dialog = page.getByRole('dialog', { name: 'Mark as Rented' });
    await dialog.getByRole('radio', { name: 'Yes, after some days' }).check();
    await dialog.getByRole('button', { name: 'Go to the Next Month' }).tap();
    await dialog.getByRole('gridcell').getByRole('button').nth(9).tap();
    await expect(dialog.getByText(/^Last day of the rental: \w+ 10$/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Mark as Rented' }).tap();
    await expect(page.getByText('Marked as rented')).toBeVisible();
    await expect(page.getByText('Everything you posted is on hold, rented or sold.')).toBeVisible();
    await expect(page.getByRole('tabpanel').getByRole('link', { name: 'Post an Item' })).toBeVisible();
    await tab('Rented').tap();
    await expect(rows).toContainText(/Rented until \w+ 10/);
    await page.getByRole('button', { name: `Relist ${bicycle}` }).tap();
    await expect(page.getByText('No rental listings yet')).toBeVisible();
  });
  await Promise.all([sellerContext.close(), buyerContext.close()]);
});
